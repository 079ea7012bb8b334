//! Pedestrians walk as people do in experiments: their speed against density, their flow through
//! doors, around corners and against each other (RiMEA's tests, Weidmann 1993, the experiments of
//! the Pedestrian Dynamics Data Archive). Every check is a scenario of `scenarios/pedestrian`.

mod corner;
mod corridors;
mod counter_flow;
mod density;
mod doors;
mod exits;
mod plots;
mod run;
mod single_file;
