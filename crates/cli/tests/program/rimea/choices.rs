//! Which way people take: tests 10, 11 and 14.

use super::*;

/// The last position of each person, and the group, by id.
fn ends<N: Numbers>(name: &str) -> BTreeMap<u32, Walker> {
    let mut last = BTreeMap::new();
    play::<N>(name, |run| last.extend(run.walkers.iter().map(|walker| (walker.id, *walker))));
    last
}

/// The number of people that left by the exit assigned to them.
fn assigned<N: Numbers>() -> Measured {
    let ends = ends::<N>("10");
    let of = |group: u16, exit: &dyn Fn(&Walker) -> bool| {
        let mut all = ends.values().filter(|walker| walker.group == group).peekable();
        let count = all.clone().count();
        (all.by_ref().filter(|walker| exit(walker)).count(), count)
    };
    let (main, of_main) = of(0, &|walker| walker.pos[1] < 1.0);
    let (second, of_second) = of(1, &|walker| walker.pos[0] > 19.5);
    Measured {
        says: format!("{main} of {of_main}, {second} of {of_second}"),
        is_fine: [main, of_main, second, of_second] == [15, 15, 8, 8],
    }
}

#[test]
fn test_10_everybody_leaves_by_the_exit_assigned() {
    judge("10", Verdict::Passes, &[assigned::<f32>(), assigned::<Fx>()]);
}

/// How many take the near exit and the other.
fn exits<N: Numbers>() -> Measured {
    let ends = ends::<N>("11");
    let out = ends.values().filter(|walker| walker.pos[1] > 20.0);
    let [mut near, mut far] = [0; 2];
    for walker in out {
        *if walker.pos[0] < 24.5 { &mut near } else { &mut far } += 1;
    }
    Measured {
        says: format!("{near} near, {far} far"),
        is_fine: near + far == 1000 && near > far && far > 0,
    }
}

#[test]
fn test_11_most_take_the_near_exit_and_some_the_other() {
    judge("11", Verdict::Passes, &[exits::<f32>(), exits::<Fx>()]);
}

/// How many take the short way, as the scenario is, around crowds, and with stairs that are slower.
fn ways<N: Numbers>() -> Measured {
    let short = |edit: &dyn Fn(&str) -> String| {
        let mut ways = [Firsts::default(), Firsts::default()];
        play_edited::<N>("14", edit, |run| {
            for (way, x) in ways.iter_mut().zip([10.0, 16.0]) {
                way.see(run, |walker| is_in(walker.pos, [x, 8.0, x + 2.0, 12.0]));
            }
        });
        assert_eq!(ways[0].0.len() + ways[1].0.len(), 60);
        ways[0].0.len()
    };
    let as_is = short(&|text| text.to_owned());
    let around = short(&|text| text.replace("leave = true", "leave = true\navoid_crowds = true"));
    let slow = short(&|text| text.replace("cost = 2.1875", "cost = 4").replace("1.9375", "4"));
    Measured {
        says: format!(
            "{as_is}; {around} with `avoid_crowds`; {slow} with stairs at a quarter of the speed"
        ),
        is_fine: as_is > 30 && slow < 30,
    }
}

#[test]
fn test_14_the_way_is_the_quicker_one() {
    judge("14", Verdict::Documented, &[ways::<f32>(), ways::<Fx>()]);
}
