//! Pedestrians walk as people do in experiments: their speed against density, their flow through
//! doors and against each other (Weidmann 1993, the experiments of the Pedestrian Dynamics Data
//! Archive). Every check is a scenario of `scenarios/pedestrian`; the RiMEA guideline's own tests are
//! in `rimea`.

mod corridors;
mod counter_flow;
pub(crate) mod density;
mod doors;
mod plots;
pub(crate) mod run;
mod single_file;
