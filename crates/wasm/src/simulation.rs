//! [`Simulation`].

use std::sync::Arc;

use throng::map::{Legend, Map};
use throng::replay::RecordOptions;
use throng::scenario::{Builtin, Plan, ScenarioDef, Scene, builtin};
use throng::world::Order;
use throng::{AnySimulation, GroupDef, GroupId, Num, Settings, WeaponDef, either};
use wasm_bindgen::prelude::*;

use crate::definition;
use crate::events;
use crate::group_order;
use crate::group_order::{Known, id_word};
use crate::groups;
use crate::names::Names;
use crate::options;
use crate::options::{MapOptions, Options};
use crate::recording::Bytes;
use crate::shipped;
use crate::{Result, wrong};

/// A running crowd: a map, its agents, and the orders that are scheduled.
#[wasm_bindgen]
pub struct Simulation {
    pub(crate) engine: AnySimulation,
    pub(crate) names: Names,
    /// Names, colours and areas as replays hold them.
    scene: Scene,
    /// Bytes that a recording has written so far.
    recorded: Option<Bytes>,
}

#[wasm_bindgen]
impl Simulation {
    /// A scenario, from the text of its file.
    ///
    /// # Errors
    /// Whatever is wrong with the scenario or its map, each with line and column.
    #[wasm_bindgen(js_name = fromScenario)]
    pub fn from_scenario(
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "Options")] options: JsValue,
    ) -> Result<Self> {
        let options = Options::read(options)?;
        Self::start(text, options.file.as_deref().unwrap_or("scenario.toml"), &options, None)
    }

    /// A scenario that ships in the package.
    ///
    /// # Errors
    /// When there is none of that name, or an option does not fit it.
    pub fn shipped(
        name: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "Options")] options: JsValue,
    ) -> Result<Self> {
        let options = Options::read(options)?;
        Self::start(shipped::text(name)?, name, &options, builtin(name))
    }

    fn start(text: &str, file: &str, options: &Options, shipped: Option<Builtin>) -> Result<Self> {
        let mut def = ScenarioDef::parse(text, file).map_err(wrong)?;
        def.apply(&options.overrides()?).map_err(wrong)?;
        let map = def.load_map(&|path| options.read_map(path, shipped)).map_err(wrong)?;
        let plan = Plan::new(&def, map).map_err(wrong)?;
        let scene = plan.scene.clone();
        let mut sim = Self::on(AnySimulation::from_plan(plan).map_err(wrong)?, scene);
        sim.names.companies = def.companies.iter().map(|company| company.name.clone()).collect();
        Ok(sim)
    }

    /// A map without agents: MovingAI text (it begins with `type`), or rows of letters, `.` for ground
    /// and `@` for walls.
    ///
    /// # Errors
    /// When the text is no map, or a setting is out of range.
    #[wasm_bindgen(js_name = onMap)]
    pub fn on_map(
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "MapOptions")] options: JsValue,
    ) -> Result<Self> {
        let options = MapOptions::read(options)?;
        let (legend, cell) = (Legend::default(), options.cell.unwrap_or(1.0));
        let map = match text.trim_start().starts_with("type") {
            true => Map::parse_movingai(text.as_bytes(), &legend, cell),
            false => Map::from_rows(&text.split_whitespace().collect::<Vec<_>>(), &legend, cell),
        };
        let mut settings = Settings::default();
        settings.seed = options.seed.unwrap_or(settings.seed);
        definition::read(&mut settings, &options.settings, &Names::default())?;
        let numeric = options::numeric(options.numeric.as_deref().unwrap_or("f32"))?;
        let map = Arc::new(map.map_err(wrong)?);
        let engine = AnySimulation::new(numeric, map, settings).map_err(wrong)?;
        Ok(Self::on(engine, Scene::default()))
    }

    /// Of an engine, with the names and colours of a scene.
    pub(crate) fn on(engine: AnySimulation, scene: Scene) -> Self {
        let names = Names {
            groups: scene.groups.iter().map(|group| group.name.clone()).collect(),
            companies: Vec::new(),
            weapons: scene.weapons.clone(),
            teams: scene.teams.iter().map(|team| team.name.clone()).collect(),
            sources: scene.sources.clone(),
            sinks: scene.sinks.clone(),
            doors: scene.doors.clone(),
            structures: scene.structures.clone(),
        };
        Self { engine, names, scene, recorded: None }
    }

    // Time

    /// Does so many ticks, one unless said otherwise.
    pub fn step(&mut self, ticks: Option<u32>) {
        either!(&mut self.engine, sim => (0..ticks.unwrap_or(1)).for_each(|_| sim.step()));
    }

    /// Ticks done.
    #[wasm_bindgen(getter)]
    pub fn tick(&self) -> f64 {
        either!(&self.engine, sim => sim.tick_count() as f64)
    }

    /// Whole ticks a second.
    #[wasm_bindgen(getter, js_name = tickRate)]
    pub fn tick_rate(&self) -> u32 {
        either!(&self.engine, sim => sim.world().settings().tick_rate)
    }

    /// Simulated time in seconds.
    #[wasm_bindgen(getter)]
    pub fn seconds(&self) -> f64 {
        either!(&self.engine, sim => sim.seconds())
    }

    /// Number type: `f32` or `fixed`.
    #[wasm_bindgen(getter, unchecked_return_type = "\"f32\" | \"fixed\"")]
    pub fn numeric(&self) -> String {
        self.engine.numeric().word().to_owned()
    }

    /// The digest of the state, 16 hexadecimal digits: equal for equal states, on every machine.
    pub fn digest(&self) -> String {
        format!("{:016x}", either!(&self.engine, sim => sim.digest()))
    }

    // Columns: copies, a row an agent. Rows move from tick to tick, ids stay.

    /// Number of agents.
    #[wasm_bindgen(getter, js_name = agentCount)]
    pub fn agent_count(&self) -> u32 {
        either!(&self.engine, sim => sim.len() as u32)
    }

    /// x and y of every agent's centre in metres, one after another.
    pub fn positions(&self) -> Vec<f32> {
        either!(&self.engine, sim => pairs(sim.world().positions()))
    }

    /// x and y of every agent's velocity in m/s, one after another.
    pub fn velocities(&self) -> Vec<f32> {
        either!(&self.engine, sim => pairs(sim.world().velocities()))
    }

    /// The id of every agent, which names it for good: index in the low 32 bits, generation above.
    pub fn ids(&self) -> Vec<u64> {
        either!(&self.engine, sim => sim.agents().map(|agent| id_word(agent.id())).collect())
    }

    /// The index of every agent's group.
    #[wasm_bindgen(js_name = groupIndices)]
    pub fn group_indices(&self) -> Vec<u16> {
        either!(&self.engine, sim => {
            let world = sim.world();
            let bases: Vec<u16> =
                (0..world.groups().len()).map(|group| world.base_group(group as u16)).collect();
            world.tags().iter().map(|tag| bases[usize::from(tag.group)]).collect()
        })
    }

    /// The state of every agent: 1 for one that is in its goal, plus 2 when it stands at its place there,
    /// plus 4 when it leaves at the end of the tick; higher bits are the engine's own.
    pub fn states(&self) -> Vec<u8> {
        either!(&self.engine, sim => sim.world().tags().iter().map(|tag| tag.state).collect())
    }

    /// The health of every agent; empty in a world without weapons.
    pub fn healths(&self) -> Vec<f32> {
        either!(&self.engine, sim => {
            sim.agents().filter_map(|agent| Some(agent.health()? as f32)).collect()
        })
    }

    /// x, y and height of every projectile in metres, one after another.
    pub fn projectiles(&self) -> Vec<f32> {
        either!(&self.engine, sim => {
            let all = sim.world().projectiles().pos.iter();
            all.flat_map(|pos| pos.map(|c| c.to_f64() as f32)).collect()
        })
    }

    /// All groups as they are now.
    #[wasm_bindgen(unchecked_return_type = "GroupInfo[]")]
    pub fn groups(&self) -> Result<JsValue> {
        let (names, scene) = (&self.names.groups, &self.scene.groups);
        let list = either!(&self.engine, sim => groups::list(sim, names, scene));
        Ok(serde_wasm_bindgen::to_value(&list)?)
    }

    // The map

    /// Cells from left to right.
    #[wasm_bindgen(getter, js_name = mapWidth)]
    pub fn map_width(&self) -> u32 {
        self.map().width()
    }

    /// Cells from top to bottom.
    #[wasm_bindgen(getter, js_name = mapHeight)]
    pub fn map_height(&self) -> u32 {
        self.map().height()
    }

    /// Side of a cell in metres.
    #[wasm_bindgen(getter, js_name = cellSize)]
    pub fn cell_size(&self) -> f64 {
        self.map().cell_size()
    }

    /// Counts the changes of the map.
    #[wasm_bindgen(getter, js_name = mapVersion)]
    pub fn map_version(&self) -> u32 {
        either!(&self.engine, sim => sim.world().map_version())
    }

    /// What every cell costs, in 1/16 of plain ground, row by row; 0 is a wall.
    #[wasm_bindgen(js_name = mapCosts)]
    pub fn map_costs(&self) -> Vec<u8> {
        let map = self.map();
        let row = |y: u32| &map.slowness()[map.index(0, y) as usize..][..map.width() as usize];
        (0..map.height()).flat_map(row).copied().collect()
    }

    /// The letter of every cell as its ASCII code, row by row.
    #[wasm_bindgen(js_name = mapLetters)]
    pub fn map_letters(&self) -> Vec<u8> {
        self.map().letters().to_vec()
    }

    fn map(&self) -> &Map {
        either!(&self.engine, sim => sim.world().map())
    }

    // Orders

    /// Gives an order, which takes effect at once, and returns how many agents it touched.
    ///
    /// # Errors
    /// When the object is no order, or why it was refused. It has changed nothing then.
    pub fn order(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Order")] order: JsValue,
    ) -> Result<u32> {
        let order = group_order::read(order, self.known())?;
        self.give(order)
    }

    /// Tells single agents something, or does something to them, and returns how many.
    ///
    /// # Errors
    /// When an agent does not live or is named twice, or why the order was refused.
    #[wasm_bindgen(js_name = orderAgents)]
    pub fn order_agents(
        &mut self,
        ids: &[u64],
        #[wasm_bindgen(unchecked_param_type = "AgentOrder")] order: JsValue,
    ) -> Result<u32> {
        let order = group_order::read_of_agents(ids, order, self.known())?;
        self.give(order)
    }

    /// Adds a group without agents and returns its index. What is left out has its default, or that of
    /// a preset: `rts`, `pedestrian` or `horde`.
    ///
    /// # Errors
    /// When the name is taken, or a trait is out of range.
    #[wasm_bindgen(js_name = addGroup)]
    pub fn add_group(
        &mut self,
        name: String,
        #[wasm_bindgen(unchecked_optional_param_type = "GroupDef")] def: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] preset: Option<String>,
    ) -> Result<u16> {
        self.names.is_new("group", &name)?;
        let mut group = definition::preset(preset, &GroupDef::PRESETS, GroupDef::preset)?;
        definition::read(&mut group, &def, &self.names)?;
        let added = either!(&mut self.engine, sim => sim.add_group(group)).map_err(wrong)?;
        let index = usize::from(added.index());
        // Variants and detachments have indices too.
        for index in self.names.groups.len()..=index {
            self.names.groups.push(format!("group {index}"));
        }
        self.names.groups[index] = name;
        Ok(added.index())
    }

    /// Changes traits of a group, under way or not; the others stay. Radius, navigator and costs of ground
    /// cannot change. Returns how many agents it has.
    ///
    /// # Errors
    /// When there is no such group, a trait is out of range or cannot change.
    #[wasm_bindgen(js_name = changeGroup)]
    pub fn change_group(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Name")] group: JsValue,
        #[wasm_bindgen(unchecked_param_type = "GroupDef")] def: JsValue,
    ) -> Result<u32> {
        let group = self.group(group)?;
        let known = either!(&self.engine, sim => {
            sim.world().group(group).map(|known| known.def.clone())
        });
        let mut changed = known.ok_or_else(|| wrong(format!("there is no group {group}")))?;
        definition::read(&mut changed, &def, &self.names)?;
        self.give(Order::Change { group, def: changed })
    }

    /// Removes a group with its agents, which leave in the next step and take no more orders, and returns how
    /// many these are. Its name is free from now on; its index is used again.
    ///
    /// # Errors
    /// When there is no such group, or strategies command it.
    #[wasm_bindgen(js_name = removeGroup)]
    pub fn remove_group(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Name")] group: JsValue,
    ) -> Result<u32> {
        let group = self.group(group)?;
        let agents = self.give(Order::RemoveGroup { group })?;
        if let Some(name) = self.names.groups.get_mut(usize::from(group)) {
            name.clear();
        }
        Ok(agents)
    }

    /// The group of a name or an index.
    pub(crate) fn group(&self, name: JsValue) -> Result<GroupId> {
        self.known().group(&serde_wasm_bindgen::from_value(name)?)
    }

    /// Adds a weapon, which groups added later can carry, and returns its index. Presets: `bow`, `gun`
    /// or `catapult`.
    ///
    /// # Errors
    /// When the name is taken, or a number is out of range.
    #[wasm_bindgen(js_name = addWeapon)]
    pub fn add_weapon(
        &mut self,
        name: String,
        #[wasm_bindgen(unchecked_optional_param_type = "WeaponDef")] def: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] preset: Option<String>,
    ) -> Result<u16> {
        self.names.is_new("weapon", &name)?;
        let mut weapon = definition::preset(preset, &WeaponDef::PRESETS, WeaponDef::preset)?;
        definition::read(&mut weapon, &def, &self.names)?;
        let added = either!(&mut self.engine, sim => sim.add_weapon(weapon)).map_err(wrong)?;
        self.names.weapons.push(name);
        Ok(added.index())
    }

    /// Names and handles that orders can use.
    pub(crate) fn known(&self) -> Known<'_> {
        Known { names: &self.names, engine: &self.engine }
    }

    /// Gives an order of the engine.
    pub(crate) fn give(&mut self, order: Order) -> Result<u32> {
        either!(&mut self.engine, sim => sim.order(order)).map_err(wrong)
    }

    // What happened

    /// What happened in the last tick, and by the orders given since.
    #[wasm_bindgen(unchecked_return_type = "Events")]
    pub fn events(&self) -> JsValue {
        either!(&self.engine, sim => events::object(sim))
    }

    /// From now on `events().arrived` lists agents that come into their goal.
    #[wasm_bindgen(js_name = watchArrivals)]
    pub fn watch_arrivals(&mut self) {
        either!(&mut self.engine, sim => sim.watch_arrivals());
    }

    /// From now on `events().stuck` lists agents under way that have stayed within their radius for so
    /// many seconds.
    #[wasm_bindgen(js_name = watchStuck)]
    pub fn watch_stuck(&mut self, seconds: f64) {
        either!(&mut self.engine, sim => sim.watch_stuck(seconds));
    }

    // State

    /// The state as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        either!(&self.engine, sim => sim.snapshot())
    }

    /// Takes the state back, or forward, to a snapshot of a simulation of the same map and settings.
    ///
    /// # Errors
    /// When the snapshot is damaged or of another kind, or while a recording goes on. Nothing has
    /// changed then.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<()> {
        either!(&mut self.engine, sim => sim.restore(snapshot)).map_err(wrong)
    }

    /// Records the run from here on. `finishRecording` gives the replay.
    ///
    /// # Errors
    /// When a recording goes on, or the state cannot be recorded.
    pub fn record(&mut self, label: Option<String>) -> Result<()> {
        if self.recorded.is_some() {
            return Err(wrong("a recording goes on already"));
        }
        let (bytes, scene) = (Bytes::default(), self.scene.clone());
        let label = label.unwrap_or_default();
        let options = RecordOptions { label, scene, ..RecordOptions::default() };
        either!(&mut self.engine, sim => sim.record(bytes.clone(), options)).map_err(wrong)?;
        self.recorded = Some(bytes);
        Ok(())
    }

    /// Ends the recording and gives the bytes of the replay, a `.throng` file.
    ///
    /// # Errors
    /// When there is no recording, or it ended early.
    #[wasm_bindgen(js_name = finishRecording)]
    pub fn finish_recording(&mut self) -> Result<Vec<u8>> {
        let bytes = self.recorded.take().ok_or_else(|| wrong("nothing is being recorded"))?;
        either!(&mut self.engine, sim => sim.finish_recording()).map_err(wrong)?;
        Ok(bytes.take())
    }
}

/// Pairs of numbers, one after another.
fn pairs<N: Num>(pairs: &[[N; 2]]) -> Vec<f32> {
    pairs.iter().flat_map(|pair| pair.map(|c| c.to_f64() as f32)).collect()
}
