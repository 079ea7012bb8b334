//! The key `navigator` of a scenario.

use throng::nav::navigator::Navigator;
use throng::scenario::ScenarioDef;

fn text(line: &str) -> String {
    format!(
        "ticks = 10\n[map]\nsize = [40, 20]\n[[group]]\nname = \"red\"\n{line}\n\
         spawn = {{ rect = [1, 1, 9, 9], count = 20 }}\n"
    )
}

#[test]
fn every_navigator_has_a_name() {
    for navigator in Navigator::ALL {
        let name = navigator.name();
        assert_eq!(Navigator::from_name(name), Some(navigator));
        let def = ScenarioDef::parse(&text(&format!("navigator = \"{name}\"")), "a.toml").unwrap();
        assert_eq!(def.groups[0].def.navigator, navigator);
    }
    let def = ScenarioDef::parse(&text(""), "a.toml").unwrap();
    assert_eq!(def.groups[0].def.navigator, Navigator::Flow);
    assert_eq!(Navigator::from_name("Flow"), None);
}

#[test]
fn other_names_are_refused_with_the_right_one() {
    let cases = [
        (
            "navigator = \"breadcrumb\"",
            "is no navigator",
            "\"breadcrumbs\", if that is what you meant",
        ),
        ("navigator = \"lefthand\"", "is no navigator", "\"left-hand\", if"),
        ("navigator = \"xyzzy\"", "is no navigator", "one of `flow`, `straight`"),
        ("navigator = 3", "3 is a number", "one of `flow`, `straight`"),
        ("navigater = \"flow\"", "no such key", "`navigator`, if"),
    ];
    for (line, wrong, expected) in cases {
        let error = ScenarioDef::parse(&text(line), "bad.toml").unwrap_err();
        let first = error.first();
        assert_eq!(first.line, 6, "{error}");
        assert!(first.wrong.contains(wrong), "{error}");
        assert!(first.expected.contains(expected), "{error}");
    }
    let line = "ticks = 10\nsettings = { route_expansions_per_tick = 0 }\n";
    let error =
        ScenarioDef::parse(&text("").replace("ticks = 10\n", line), "bad.toml").unwrap_err();
    assert!(error.to_string().contains("settings.route_expansions_per_tick"), "{error}");
}
