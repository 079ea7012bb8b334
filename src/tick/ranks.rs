//! Ranks: members of a formation line up, each in a slot near to where it is.
//!
//! The groups stand behind each other in the order of the company's list. Within a group the
//! foremost get the front ranks; within a rank everybody keeps to its side. So paths cross little.

use crate::lane::Numbers;
use crate::world::Anchor;
use crate::world::Slot;
use crate::world::World;

/// A member that is to get a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recruit {
    id: u32,
    /// Place of its group in the company's list.
    order: u32,
    /// Metres to the right of the anchor and in front of it.
    aside: f64,
    ahead: f64,
}

/// Gives every member of a company a slot around an anchor; sets the anchor's reach.
pub(super) fn line_up<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    anchor: &mut Anchor<N>,
    muster: &mut Vec<Recruit>,
) {
    call(world, index, anchor, muster);
    let company = &world.companies[usize::from(index)];
    let Some(formation) = company.def.formation else { return };
    let spacing = world.spacing(index);
    let ranks = formation.ranks(muster.len() as u32, company.def.files);
    let deepest = ranks.clone().count() as f64 - 1.0;
    let slots = &mut world.companies[usize::from(index)].slots;
    slots.clear();
    let (mut start, mut reach) = (0, 0.0_f64);
    for (rank, size) in ranks.enumerate() {
        let recruits = &mut muster[start..start + size as usize];
        recruits.sort_unstable_by(|a, b| a.aside.total_cmp(&b.aside).then(a.id.cmp(&b.id)));
        for (file, recruit) in recruits.iter().enumerate() {
            let aside = (file as f64 - f64::from(size - 1) / 2.0) * spacing;
            let ahead = (deepest / 2.0 - rank as f64) * spacing;
            reach = reach.max(aside * aside + ahead * ahead);
            world.place_of[recruit.id as usize] = slots.len() as u32;
            slots.push(Slot { id: recruit.id, offset: [aside, ahead].map(N::from_f64) });
        }
        start += size as usize;
    }
    anchor.reach = N::from_f64(reach.sqrt());
    anchor.reform = false;
}

/// The members of a company in the order of their ranks.
fn call<N: Numbers>(
    world: &World<N>,
    index: u16,
    anchor: &Anchor<N>,
    muster: &mut Vec<Recruit>,
) {
    let groups = &world.companies[usize::from(index)].def.groups;
    let ([x, y], [hx, hy]) = (anchor.pos.map(N::to_f64), anchor.heading.map(N::to_f64));
    muster.clear();
    for (tag, pos) in world.agents.tag.iter().zip(world.agents.pos.iter()) {
        let group = &world.groups[usize::from(tag.group)];
        if group.company != Some(index) || !group.marches {
            continue;
        }
        let order = groups.iter().position(|&group| group == tag.group).unwrap_or(0) as u32;
        let (dx, dy) = (pos[0].to_f64() - x, pos[1].to_f64() - y);
        let (aside, ahead) = (dy * hx - dx * hy, dx * hx + dy * hy);
        muster.push(Recruit { id: tag.id, order, aside, ahead });
    }
    muster.sort_unstable_by(|a, b| {
        let front = a.order.cmp(&b.order).then(b.ahead.total_cmp(&a.ahead));
        front.then(a.id.cmp(&b.id))
    });
}
