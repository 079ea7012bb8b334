//! [`Replay`].

use std::sync::Arc;

use throng::replay::Frame;
use throng::world::Order;
use throng::{AnySimulation, either};
use wasm_bindgen::prelude::*;

use crate::simulation::Simulation;
use crate::{Result, wrong};

/// A recorded run: the map, every tick's orders and digests, and states to begin from.
#[wasm_bindgen]
pub struct Replay {
    replay: throng::replay::Replay,
}

#[wasm_bindgen]
impl Replay {
    /// Reads a replay, the bytes of a `.throng` file.
    ///
    /// # Errors
    /// When it is no replay, was made by another version of the engine, or is cut or damaged.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Self> {
        let replay = throng::replay::Replay::read(bytes).map_err(wrong)?;
        Ok(Self { replay })
    }

    /// What was run, for people.
    #[wasm_bindgen(getter)]
    pub fn label(&self) -> String {
        self.replay.header.label.clone()
    }

    /// Ticks done before its first frame.
    #[wasm_bindgen(getter, js_name = firstTick)]
    pub fn first_tick(&self) -> f64 {
        self.replay.header.first_tick as f64
    }

    /// Ticks done after its last one.
    #[wasm_bindgen(getter, js_name = endTick)]
    pub fn end_tick(&self) -> f64 {
        self.replay.end_tick() as f64
    }

    /// The recorded digest of the state after so many ticks; none before the first frame and behind the
    /// end.
    pub fn digest(&self, ticks: f64) -> Option<String> {
        let frame = self.frame(ticks - 1.0)?;
        Some(format!("{:016x}", frame.digest))
    }

    /// A simulation at the beginning of the replay.
    ///
    /// # Errors
    /// When the replay begins late and without a state to begin from, or that is damaged.
    pub fn start(&self) -> Result<Simulation> {
        let header = &self.replay.header;
        let (numeric, map, settings) = (header.numeric, Arc::clone(&header.map), header.settings);
        let engine = AnySimulation::new(numeric, map, settings).map_err(wrong)?;
        let mut sim = Simulation::on(engine, header.scene.clone());
        self.restore(&mut sim, header.first_tick)?;
        if sim.tick() != self.first_tick() {
            let tick = header.first_tick;
            return Err(wrong(format!("the replay begins at tick {tick} without a state of it")));
        }
        Ok(sim)
    }

    /// Does the next tick with the recorded orders; `false` at the end of the replay.
    ///
    /// # Errors
    /// Never, for a simulation that this replay has started.
    pub fn step(&self, sim: &mut Simulation) -> Result<bool> {
        let Some(frame) = self.frame(sim.tick()) else { return Ok(false) };
        for order in &frame.orders {
            self.give(sim, order.clone());
        }
        sim.step(None);
        Ok(true)
    }

    /// Takes a simulation that this replay has started to the state after so many ticks: from the
    /// nearest state before it, or from where it is when that is nearer.
    ///
    /// # Errors
    /// When a state of the replay is damaged.
    pub fn seek(&self, sim: &mut Simulation, ticks: f64) -> Result<()> {
        let ticks = ticks.clamp(self.first_tick(), self.end_tick()) as u64;
        let keyframe = self.replay.keyframe_before(ticks).map(|keyframe| keyframe.tick);
        let now = sim.tick() as u64;
        if now > ticks || keyframe.is_some_and(|keyframe| keyframe > now) {
            match keyframe {
                Some(_) => self.restore(sim, ticks)?,
                None => *sim = self.start()?,
            }
        }
        while (sim.tick() as u64) < ticks && self.step(sim)? {}
        Ok(())
    }

    /// Takes a simulation to the last state of the replay before so many ticks, if there is one.
    fn restore(&self, sim: &mut Simulation, ticks: u64) -> Result<()> {
        if let Some(keyframe) = self.replay.keyframe_before(ticks) {
            sim.restore(&keyframe.image().map_err(wrong)?)?;
        }
        Ok(())
    }

    /// Gives a recorded order; one that is refused was refused when it was recorded.
    fn give(&self, sim: &mut Simulation, order: Order) {
        let _ = either!(&mut sim.engine, sim => sim.order(order));
    }

    fn frame(&self, tick: f64) -> Option<&Frame> {
        if tick < 0.0 { None } else { self.replay.frame(tick as u64) }
    }
}
