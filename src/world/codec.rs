//! Orders and shapes as bytes, for replays and digests.
//!
//! Refused orders are recorded too, so whatever can be ordered can be read back: numbers out of
//! range, infinite or NaN, and shapes without corners.

use crate::data::Id;
use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::definition::Definition;
use crate::map::area::Shape;
use crate::mind::StrategiesDef;
use crate::world::behaviour_codec::read_behaviours;
use crate::world::company::formation_code;
use crate::world::{CompanyDef, Formation, GroupDef, MindDef, Order, WeaponDef, write_behaviours};

impl GroupDef {
    /// Appends what letters cost: letter and slowness of each.
    pub(crate) fn write_letters(&self, to: &mut Vec<u8>) {
        self.terrain.letters().iter().flatten().for_each(|&byte| to.u8(byte));
    }

    /// Reads what so many letters cost; they ascend.
    pub(crate) fn read_letters(
        &mut self,
        count: usize,
        from: &mut Reader<'_>,
    ) -> Result<(), BytesError> {
        let mut last = None;
        for _ in 0..count {
            let (letter, slowness) = (from.u8("letter")?, from.u8("slowness")?);
            let ascends = last.replace(letter) < Some(letter);
            if !ascends || self.terrain.set(char::from(letter), slowness).is_err() {
                let why = format!("byte {letter} is no letter of a map that may come here");
                return Err(from.error("letter", why));
            }
        }
        Ok(())
    }
}

fn read_formation(from: &mut Reader<'_>) -> Result<Option<Formation>, BytesError> {
    match usize::from(from.u8("formation")?) {
        0 => Ok(None),
        code if code <= Formation::ALL.len() => Ok(Some(Formation::ALL[code - 1])),
        other => Err(from.error("formation", format!("there is no formation {other}"))),
    }
}

impl CompanyDef {
    /// Reads one, in range or not.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        let groups = from.u16("groups")?;
        Self::read_rest(from, groups)
    }

    /// The rest of a company of so many groups.
    fn read_rest(from: &mut Reader<'_>, groups: u16) -> Result<Self, BytesError> {
        let groups = (0..groups).map(|_| from.u16("group")).collect::<Result<_, _>>()?;
        let formation = read_formation(from)?;
        let spacing = Some(from.any_f64("spacing")?).filter(|spacing| spacing.to_bits() != 0);
        let files = Some(from.u32("files")?).filter(|&files| files != 0);
        Ok(Self { groups, formation, spacing, files })
    }
}

/// Writes a list of shapes.
pub(crate) fn write_shapes(shapes: &[Shape], to: &mut Vec<u8>) {
    to.u32(shapes.len() as u32);
    for shape in shapes {
        let (kind, numbers): (u8, Vec<f64>) = match shape {
            Shape::Point { at } => (0, at.to_vec()),
            Shape::Rect { min, max } => (1, [*min, *max].concat()),
            Shape::Disc { centre, radius } => (2, vec![centre[0], centre[1], *radius]),
            Shape::Polygon { corners } => (3, corners.concat()),
        };
        to.u8(kind);
        if kind == 3 {
            to.u32(numbers.len() as u32 / 2);
        }
        numbers.iter().for_each(|&number| to.f64(number));
    }
}

fn point(from: &mut Reader<'_>) -> Result<[f64; 2], BytesError> {
    Ok([from.any_f64("x")?, from.any_f64("y")?])
}

/// Reads a list of shapes.
pub(crate) fn read_shapes(from: &mut Reader<'_>) -> Result<Vec<Shape>, BytesError> {
    let count = from.count("shapes", 5)?;
    let shape = |from: &mut Reader<'_>| match from.u8("shape")? {
        0 => Ok(Shape::Point { at: point(from)? }),
        1 => Ok(Shape::Rect { min: point(from)?, max: point(from)? }),
        2 => Ok(Shape::Disc { centre: point(from)?, radius: from.any_f64("radius")? }),
        3 => {
            let corners = from.count("corners", 16)?;
            let corners = (0..corners).map(|_| point(from)).collect::<Result<_, _>>()?;
            Ok(Shape::Polygon { corners })
        }
        other => Err(from.error("shape", format!("there is no kind {other}"))),
    };
    (0..count).map(|_| shape(from)).collect()
}

impl Order {
    /// Appends the order to bytes.
    pub fn write(&self, to: &mut Vec<u8>) {
        match self {
            Self::Group { def } => {
                to.u8(0);
                def.write(to);
                to.u8(def.terrain.letters().len() as u8);
                def.write_letters(to);
            }
            Self::Move { group, goal } => {
                to.u8(1);
                to.u16(*group);
                write_shapes(goal, to);
            }
            Self::Stop { group } => {
                to.u8(2);
                to.u16(*group);
            }
            Self::Spawn { group, area, count } => {
                to.u8(3);
                to.u16(*group);
                to.u32(*count);
                write_shapes(area, to);
            }
            Self::Remove { group, area } => {
                to.u8(4);
                to.u16(*group);
                to.u8(u8::from(area.is_some()));
                if let Some(area) = area {
                    write_shapes(area, to);
                }
            }
            Self::Opposite { group, centre } => {
                to.u8(6);
                to.u16(*group);
                centre.iter().for_each(|&number| to.f64(number));
            }
            Self::Behave { group, behaviours } => {
                to.u8(8);
                to.u16(*group);
                write_behaviours(behaviours, to);
            }
            Self::Assign { agents, group } => {
                to.u8(5);
                to.u16(*group);
                to.u32(agents.len() as u32);
                for id in agents {
                    to.u32(id.index);
                    to.u32(id.generation);
                }
            }
            Self::Company { def } => {
                to.u8(9);
                def.write(to);
            }
            Self::MoveCompany { company, goal } => {
                to.u8(10);
                to.u16(*company);
                write_shapes(goal, to);
            }
            Self::StopCompany { company } => {
                to.u8(11);
                to.u16(*company);
            }
            Self::Weapon { def } => {
                to.u8(13);
                def.write(to);
            }
            Self::Launch { group, weapon, from, velocity } => {
                to.u8(14);
                to.u16(*group);
                to.u16(*weapon);
                from.iter().chain(velocity).for_each(|&number| to.f64(number));
            }
            Self::Build { area } => {
                to.u8(15);
                write_shapes(area, to);
            }
            Self::Demolish { area } => {
                to.u8(16);
                write_shapes(area, to);
            }
            Self::Mind { def } => {
                to.u8(17);
                def.write(to);
            }
            Self::Think { group, mind } => {
                to.u8(18);
                to.u16(*group);
                to.u16(*mind);
            }
            Self::Strategies { team, def } => {
                to.u8(19);
                to.u8(*team);
                def.write(to);
            }
            Self::Form { company, formation } => {
                to.u8(12);
                to.u16(*company);
                to.u8(formation_code(*formation));
            }
        }
    }

    /// Reads an order.
    ///
    /// # Errors
    /// When the bytes are cut or hold no order.
    pub fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        let kind = from.u8("order")?;
        match kind {
            0 => {
                let mut def = GroupDef::read(from)?;
                let letters = from.u8("letters")?;
                def.read_letters(usize::from(letters), from)?;
                return Ok(Self::Group { def });
            }
            13 => return Ok(Self::Weapon { def: WeaponDef::read(from)? }),
            15 => return Ok(Self::Build { area: read_shapes(from)? }),
            16 => return Ok(Self::Demolish { area: read_shapes(from)? }),
            17 => return Ok(Self::Mind { def: MindDef::read(from)? }),
            19 => {
                let team = from.u8("team")?;
                return Ok(Self::Strategies { team, def: StrategiesDef::read(from)? });
            }
            _ => {}
        }
        let group = from.u16("group")?;
        match kind {
            1 => Ok(Self::Move { group, goal: read_shapes(from)? }),
            2 => Ok(Self::Stop { group }),
            3 => {
                let count = from.u32("count")?;
                Ok(Self::Spawn { group, count, area: read_shapes(from)? })
            }
            4 => {
                let bounded = from.u8("area")? != 0;
                let area = if bounded { Some(read_shapes(from)?) } else { None };
                Ok(Self::Remove { group, area })
            }
            5 => {
                let count = from.count("agents", 8)?;
                let id = |from: &mut Reader<'_>| {
                    Ok(Id { index: from.u32("id")?, generation: from.u32("generation")? })
                };
                let agents = (0..count).map(|_| id(from)).collect::<Result<_, _>>()?;
                Ok(Self::Assign { agents, group })
            }
            6 => Ok(Self::Opposite { group, centre: point(from)? }),
            8 => Ok(Self::Behave { group, behaviours: read_behaviours(from)? }),
            9 => Ok(Self::Company { def: CompanyDef::read_rest(from, group)? }),
            10 => Ok(Self::MoveCompany { company: group, goal: read_shapes(from)? }),
            11 => Ok(Self::StopCompany { company: group }),
            12 => Ok(Self::Form { company: group, formation: read_formation(from)? }),
            18 => Ok(Self::Think { group, mind: from.u16("mind")? }),
            14 => {
                let weapon = from.u16("weapon")?;
                let mut three =
                    |name| Ok([from.any_f64(name)?, from.any_f64(name)?, from.any_f64(name)?]);
                Ok(Self::Launch {
                    group,
                    weapon,
                    from: three("from")?,
                    velocity: three("velocity")?,
                })
            }
            other => Err(from.error("order", format!("there is no kind {other}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::TerrainCosts;
    use crate::nav::navigator::Navigator;

    #[test]
    fn orders_come_back_as_they_were_and_cut_ones_are_refused() {
        let shapes = vec![
            Shape::Point { at: [1.5, -2.0] },
            Shape::Rect { min: [0.0, 1.0], max: [2.0, 3.0] },
            Shape::Disc { centre: [4.0, 5.0], radius: 0.5 },
            Shape::Polygon { corners: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] },
        ];
        let plain = GroupDef::default();
        let plain2 = plain.clone();
        let mut terrain = TerrainCosts::default();
        (terrain.slope_cost, terrain.max_slope) = (2.5, 0.5);
        terrain.set('W', 0).unwrap();
        terrain.set('F', 48).unwrap();
        let wedge = CompanyDef {
            groups: vec![4],
            formation: Some(Formation::Wedge),
            spacing: Some(1.5),
            files: Some(9),
        };
        let orders = [
            Order::Group { def: GroupDef { speed: 2.25, ..GroupDef::default() } },
            Order::Group { def: GroupDef::preset("pedestrian").unwrap() },
            Order::Group { def: GroupDef { layer: 3, avoids: 9, hold: true, ..plain } },
            Order::Group { def: GroupDef { navigator: Navigator::Mesh, ..GroupDef::default() } },
            Order::Group { def: GroupDef { terrain: terrain.clone(), ..GroupDef::default() } },
            Order::Move { group: 3, goal: shapes.clone() },
            Order::MoveCompany { company: 1, goal: shapes.clone() },
            Order::Opposite { group: 7, centre: [4.5, -1.0] },
            Order::Stop { group: 65_535 },
            Order::Spawn { group: 1, area: shapes.clone(), count: 77 },
            Order::Remove { group: 2, area: None },
            Order::Remove { group: 2, area: Some(shapes.clone()) },
            Order::Assign { agents: vec![Id { index: 5, generation: 9 }], group: 4 },
            Order::Company { def: CompanyDef { groups: vec![2, 1], ..CompanyDef::default() } },
            Order::Company { def: wedge },
            Order::StopCompany { company: 3 },
            Order::Build { area: shapes.clone() },
            Order::Demolish { area: shapes.clone() },
            Order::Group { def: GroupDef { weapon: Some(3), foes: 5, team: 1, ..plain2 } },
            Order::Launch {
                group: 2,
                weapon: 1,
                from: [1.0, 2.0, 3.5],
                velocity: [0.0, -4.0, 9.0],
            },
            Order::Weapon { def: WeaponDef { sticky: false, splash: 2.5, ..WeaponDef::default() } },
            Order::Form { company: 3, formation: None },
            Order::Form { company: 3, formation: Some(Formation::Column) },
        ];
        for order in orders {
            let mut bytes = Vec::new();
            order.write(&mut bytes);
            let mut reader = Reader::new(&bytes);
            assert_eq!(Order::read(&mut reader).as_ref(), Ok(&order));
            assert_eq!(reader.left(), 0);
            for cut in 0..bytes.len() {
                assert!(Order::read(&mut Reader::new(&bytes[..cut])).is_err(), "cut at {cut}");
            }
        }
    }
}
