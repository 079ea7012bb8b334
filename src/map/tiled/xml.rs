//! Elements of XML that know where they are.

use roxmltree::{Document, Node, ParsingOptions};

use crate::map::MapError;
use crate::map::limits::MAX_NODES;

/// A file of XML.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// Its name in messages; empty for the map itself.
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

/// An element of a file.
#[derive(Clone, Copy)]
pub(super) struct Element<'a, 'b> {
    source: Source<'a>,
    pub(super) node: Node<'b, 'a>,
}

/// The text of a file.
pub(super) fn text<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, MapError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let column = (before.len() - start) as u32 + 1;
        let wrong = format!("byte {:#04x} is not text", bytes[before.len()]);
        let expected = "an XML file in UTF-8";
        MapError::Tiled { file: file.to_owned(), line, column, wrong, expected }
    })
}

impl<'a> Source<'a> {
    pub(super) fn parse(self) -> Result<Document<'a>, MapError> {
        // Attributes, of which the parser takes any number.
        let equals = self.text.bytes().filter(|&byte| byte == b'=').nth(MAX_NODES as usize);
        if equals.is_some() {
            let wrong = format!("the file has more than {MAX_NODES} attributes");
            return Err(self.refused(roxmltree::TextPos::new(1, 1), wrong, "fewer"));
        }
        let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        Document::parse_with_options(self.text, options).map_err(|error| {
            let at = error.pos();
            let text = error.to_string();
            let place = format!(" at {at}");
            let wrong = text.strip_suffix(&place).unwrap_or(&text).to_owned();
            self.refused(at, wrong, "a file of the Tiled editor in XML")
        })
    }

    /// The outermost element, which must have a name.
    pub(super) fn root<'b>(
        self,
        document: &'b Document<'a>,
        name: &str,
    ) -> Result<Element<'a, 'b>, MapError> {
        let root = Element { source: self, node: document.root_element() };
        if root.node.has_tag_name(name) {
            return Ok(root);
        }
        let wrong = format!("the file is a `{}`", shown(root.node.tag_name().name()));
        Err(root.wrong(wrong, if name == "map" { "a `map`" } else { "a `tileset`" }))
    }

    fn refused(self, at: roxmltree::TextPos, wrong: String, expected: &'static str) -> MapError {
        let (line, column) = (at.row, at.col);
        MapError::Tiled { file: self.file.to_owned(), line, column, wrong, expected }
    }
}

impl<'a, 'b> Element<'a, 'b> {
    /// What is wrong with this element.
    pub(super) fn wrong(self, wrong: String, expected: &'static str) -> MapError {
        let at = self.node.document().text_pos_at(self.node.range().start);
        self.source.refused(at, wrong, expected)
    }

    /// What is wrong with an attribute of this element, which may be missing.
    pub(super) fn wrong_at(self, name: &str, wrong: String, expected: &'static str) -> MapError {
        let range = self.node.attribute_node(name).map(|attribute| attribute.range());
        let start = range.unwrap_or(self.node.range()).start;
        self.source.refused(self.node.document().text_pos_at(start), wrong, expected)
    }

    /// The text of an attribute.
    pub(super) fn text(self, name: &str) -> Option<&'b str> {
        self.node.attribute(name)
    }

    /// The whole number of an attribute that must be there.
    pub(super) fn number(self, name: &str) -> Result<u32, MapError> {
        let expected = "a whole number";
        let Some(text) = self.text(name) else {
            let wrong = format!("`{}` has no `{name}`", shown(self.node.tag_name().name()));
            return Err(self.wrong(wrong, expected));
        };
        text.parse()
            .map_err(|_| self.wrong_at(name, format!("{name} is `{}`", shown(text)), expected))
    }

    /// The elements of a name in this one.
    pub(super) fn children(self, name: &str) -> impl Iterator<Item = Self> {
        let Self { source, node } = self;
        node.children()
            .filter(move |child| child.has_tag_name(name))
            .map(move |node| Self { source, node })
    }

    /// The elements of a name at any depth.
    pub(super) fn descendants(self, name: &str) -> impl Iterator<Item = Self> {
        let Self { source, node } = self;
        node.descendants()
            .filter(move |child| child.has_tag_name(name))
            .map(move |node| Self { source, node })
    }
}

/// A text cut after 40 letters.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}
