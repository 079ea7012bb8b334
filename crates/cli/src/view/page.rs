//! The page, built in.

use std::sync::Arc;

use crate::view::ask::Answer;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Name, kind and contents of every file.
const FILES: [(&str, &str, &str); 14] = [
    ("", HTML, include_str!("page/index.html")),
    ("view.css", CSS, include_str!("page/view.css")),
    ("view.js", SCRIPT, include_str!("page/view.js")),
    ("source.js", SCRIPT, include_str!("page/source.js")),
    ("camera.js", SCRIPT, include_str!("page/camera.js")),
    ("shaders.js", SCRIPT, include_str!("page/shaders.js")),
    ("scene.js", SCRIPT, include_str!("page/scene.js")),
    ("colours.js", SCRIPT, include_str!("page/colours.js")),
    ("viewer.js", SCRIPT, include_str!("page/viewer.js")),
    ("overlay.js", SCRIPT, include_str!("page/overlay.js")),
    ("traffic.js", SCRIPT, include_str!("page/traffic.js")),
    ("controls.js", SCRIPT, include_str!("page/controls.js")),
    ("panels.js", SCRIPT, include_str!("page/panels.js")),
    ("agent_panel.js", SCRIPT, include_str!("page/agent_panel.js")),
];

/// A file of the page.
pub(super) fn file(name: &str) -> Option<Answer> {
    // The page's own address may say which tick and what of the map to show.
    let name = if name.starts_with('?') { "" } else { name };
    let &(_, kind, text) = FILES.iter().find(|(file, ..)| *file == name)?;
    Some(Answer { status: 200, kind, file: None, body: Arc::new(text.as_bytes().to_vec()) })
}
