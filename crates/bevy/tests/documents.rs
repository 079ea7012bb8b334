//! README shows the example for Bevy word for word.

#[test]
fn the_readme_shows_its_example() {
    let readme = include_str!("../../../README.md");
    let (_, lines) = include_str!("../examples/readme.rs").split_once("\n\n").unwrap();
    assert!(
        readme.contains(&format!("```rust,ignore\n{lines}```\n")),
        "README does not show\n{lines}"
    );
}
