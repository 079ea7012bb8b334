//! Methods of [`Simulation`]: agents that come and agents that leave, and what agents of one group do not
//! share.

use serde::{Deserialize, Serialize};
use throng::world::Inflow;
use throng::{Exit, ExitsDef, GroupId, Order, SourceDef, SourceId, either};
use wasm_bindgen::prelude::*;

use crate::area::{Area, KEYS, read_area};
use crate::definition::{read, read_with};
use crate::distribution::vary;
use crate::names::Name;
use crate::simulation::Simulation;
use crate::{Result, wrong};

/// A rate, at all times or by a table.
#[derive(Deserialize)]
#[serde(untagged)]
enum Rate {
    Always(f64),
    ByTable(Vec<[f64; 2]>),
}

/// When the agents of a source come.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Coming {
    Rate(Rate),
    Batches(Vec<[f64; 2]>),
}

impl From<Coming> for Inflow {
    fn from(coming: Coming) -> Self {
        match coming {
            Coming::Rate(Rate::Always(rate)) => Self::rate(rate),
            Coming::Rate(Rate::ByTable(table)) => Self::Rates(table),
            Coming::Batches(table) => Self::Batches(table),
        }
    }
}

/// A source as it is now.
#[derive(Serialize)]
struct SourceInfo<'a> {
    index: usize,
    name: &'a str,
    group: u16,
    entered: u64,
    waiting: u64,
    closed: bool,
}

/// A sink as it is now.
#[derive(Serialize)]
struct SinkInfo<'a> {
    index: usize,
    name: &'a str,
    left: u64,
}

/// A value of one key of an object, as an enum with a variant for each key.
fn one_of<T: for<'de> Deserialize<'de>>(object: js_sys::Object, keys: &[&str]) -> Result<T> {
    match js_sys::Object::keys(&object).length() {
        1 => Ok(serde_wasm_bindgen::from_value(object.into())?),
        count => Err(wrong(format!("one of {} is needed, not {count}", keys.join(", ")))),
    }
}

#[wasm_bindgen]
impl Simulation {
    /// Adds a source and returns its index: agents of a group appear in an area while the simulation runs.
    /// Agents that find no room wait outside.
    ///
    /// # Errors
    /// When the name is taken, a number is out of range, or the agents cannot stand there.
    #[wasm_bindgen(js_name = addSource)]
    pub fn add_source(
        &mut self,
        name: String,
        #[wasm_bindgen(unchecked_param_type = "Name")] group: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Area")] area: JsValue,
        #[wasm_bindgen(unchecked_param_type = "SourceDef")] def: JsValue,
    ) -> Result<u16> {
        self.names.is_new("source", &name)?;
        let (group, area) = (self.group(group)?, read_area(area)?);
        let (mut source, keys) = (SourceDef::default(), ["rate", "batches"]);
        let coming = read_with(&mut source, &def, &self.names, &keys)?;
        source.inflow = one_of::<Coming>(coming, &keys)?.into();
        let added = either!(&mut self.engine, sim => sim.add_source(group, area, source));
        let index = added.map_err(wrong)?.index();
        self.names.add("source", index, name);
        Ok(index)
    }

    /// No agents come to a source any more; agents that wait outside go.
    ///
    /// # Errors
    /// When there is no such source.
    #[wasm_bindgen(js_name = closeSource)]
    pub fn close_source(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Name")] source: JsValue,
    ) -> Result<()> {
        let name: Name = serde_wasm_bindgen::from_value(source)?;
        let source = SourceId::new(self.names.index("source", &name)?);
        self.give(Order::CloseSource { source }).map(|_| ())
    }

    /// Adds a sink and returns its index: agents of some groups, or of all, leave when they come into an
    /// area, and are counted.
    ///
    /// # Errors
    /// When the name is taken, there is no such group, or the area lies in walls.
    #[wasm_bindgen(js_name = addSink)]
    pub fn add_sink(
        &mut self,
        name: String,
        #[wasm_bindgen(unchecked_param_type = "Area")] area: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Name[]")] groups: JsValue,
    ) -> Result<u16> {
        self.names.is_new("sink", &name)?;
        let area = read_area(area)?;
        let groups: Option<Vec<Name>> = serde_wasm_bindgen::from_value(groups)?;
        let known = self.known();
        let groups = groups.unwrap_or_default();
        let groups: Vec<GroupId> =
            groups.iter().map(|name| known.group(name)).collect::<Result<_>>()?;
        let added = either!(&mut self.engine, sim => sim.add_sink(area, groups));
        let index = added.map_err(wrong)?.index();
        self.names.add("sink", index, name);
        Ok(index)
    }

    /// Has the agents of a group differ from now on, each by its id. Returns how many there are.
    ///
    /// # Errors
    /// When there is no such group, or a number is out of range.
    pub fn vary(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Name")] group: JsValue,
        #[wasm_bindgen(unchecked_param_type = "VaryDef")] def: JsValue,
    ) -> Result<u32> {
        let group = self.group(group)?;
        self.give(Order::Vary { group, def: vary(def)? })
    }

    /// Has each agent of a group choose one of several exits and go there, until the group is sent somewhere
    /// or stopped. Returns how many there are.
    ///
    /// # Errors
    /// When there is no such group, it thinks, has a company or another navigator than flow fields, or its
    /// agents cannot stand in an exit.
    pub fn choose(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Name")] group: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Exit[]")] exits: js_sys::Array,
        #[wasm_bindgen(unchecked_optional_param_type = "Choice")] choice: JsValue,
    ) -> Result<u32> {
        let group = self.group(group)?;
        let mut def = ExitsDef::default();
        read(&mut def, &choice, &self.names)?;
        for object in exits.iter() {
            let mut exit = Exit::default();
            let area = read_with(&mut exit, &object, &self.names, &KEYS)?;
            exit.area = one_of::<Area>(area, &KEYS)?.shapes();
            def.exits.push(exit);
        }
        self.give(Order::Choose { group, def })
    }

    /// All sources as they are now.
    #[wasm_bindgen(unchecked_return_type = "SourceInfo[]")]
    pub fn sources(&self) -> Result<JsValue> {
        let sources = either!(&self.engine, sim => sim.world().sources());
        let about = sources.iter().enumerate().map(|(index, source)| SourceInfo {
            index,
            name: self.names.at("source", index),
            group: source.group().index(),
            entered: source.entered(),
            waiting: source.waiting(),
            closed: source.is_closed(),
        });
        Ok(serde_wasm_bindgen::to_value(&about.collect::<Vec<_>>())?)
    }

    /// All sinks as they are now.
    #[wasm_bindgen(unchecked_return_type = "SinkInfo[]")]
    pub fn sinks(&self) -> Result<JsValue> {
        let sinks = either!(&self.engine, sim => sim.world().sinks());
        let about = sinks.iter().enumerate().map(|(index, sink)| SinkInfo {
            index,
            name: self.names.at("sink", index),
            left: sink.left(),
        });
        Ok(serde_wasm_bindgen::to_value(&about.collect::<Vec<_>>())?)
    }
}
