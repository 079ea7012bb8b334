//! The classes of agents that pictures tell apart by colour: groups, or states of machines.

use crate::draw::colour::{Rgb, distinct, group_colour};
use throng::scenario::Scene;

/// Names and colours of classes, by their index. Classes of one name are shown as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classes {
    /// Their names in legends.
    pub names: Vec<String>,
    /// Their colours.
    pub colours: Vec<Rgb>,
    /// By group: the class of its agents or, where states are told apart, of agents in its machine's
    /// first state; the classes of its other states come next.
    pub first: Vec<u16>,
}

impl Classes {
    /// Every group is a class, and no two have one colour.
    pub fn groups(scene: &Scene) -> Self {
        let colours: Vec<Rgb> = scene.groups.iter().map(|group| group.color).collect();
        Self {
            names: scene.groups.iter().map(|group| group.name.clone()).collect(),
            colours: distinct(&colours),
            first: (0..=u16::MAX).take(scene.groups.len()).collect(),
        }
    }

    /// Every state of a group's machine is a class, and every group without a machine, in colours
    /// that differ from each other. A state has one name and colour, whichever groups have its
    /// machine. Where there are more than 65,535 classes, groups are.
    pub fn states(scene: &Scene) -> Self {
        let mut classes = Self::default();
        // By machine: the colour of its first state.
        let mut shades = Vec::new();
        let mut next = 0;
        for machine in &scene.machines {
            shades.push(next);
            next += machine.states.len();
        }
        for (i, group) in scene.groups.iter().enumerate() {
            let Ok(first) = u16::try_from(classes.names.len()) else { return Self::groups(scene) };
            classes.first.push(first);
            let Some(machine) = group.machine.map(usize::from) else {
                classes.names.push(group.name.clone());
                classes.colours.push(group_colour(next + i));
                continue;
            };
            for (i, state) in scene.machines[machine].states.iter().enumerate() {
                let several = scene.machines.len() > 1;
                let named = format!("{}: {state}", scene.machines[machine].name);
                classes.names.push(if several { named } else { state.clone() });
                classes.colours.push(group_colour(shades[machine] + i));
            }
        }
        if classes.names.len() > usize::from(u16::MAX) { Self::groups(scene) } else { classes }
    }
}
