//! Receivers of orders: a group, a company, or agents.

use pyo3::prelude::*;

use throng::{AgentOrder, AnySimulation, CompanyId, Formation, GroupId, Id, Order, either};

use crate::errors::{OrSaid, RangeError};
use crate::ids;
use crate::ids::{Company, Group};

/// The receiver of an order.
pub(crate) enum Who {
    Group(GroupId),
    Company(CompanyId),
    Agents(Vec<Id>),
}

/// A group, a company, an agent or an array of agents.
pub(crate) fn who(from: &Bound<'_, PyAny>) -> PyResult<Who> {
    if let Ok(handle) = from.cast::<Group>() {
        return Ok(Who::Group(handle.get().into()));
    }
    if let Ok(handle) = from.cast::<Company>() {
        return Ok(Who::Company(handle.get().into()));
    }
    Ok(Who::Agents(ids::agents(from)?))
}

/// Gives an order, and says how many agents it touched.
pub(crate) fn give(sim: &mut AnySimulation, order: Order) -> PyResult<u32> {
    either!(sim, sim => sim.order(order)).or_said()
}

/// Gives an order to agents.
pub(crate) fn tell(
    sim: &mut AnySimulation,
    agents: &Bound<'_, PyAny>,
    order: AgentOrder,
) -> PyResult<u32> {
    give(sim, Order::Agents { agents: ids::agents(agents)?, order })
}

/// A formation of a name.
pub(crate) fn shaped(word: Option<&str>) -> PyResult<Option<Formation>> {
    let Some(word) = word else { return Ok(None) };
    let words =
        || format!("there is no formation {word:?}; there are {}", Formation::NAMES.join(", "));
    Formation::from_name(word).map(Some).ok_or_else(|| RangeError::new_err(words()))
}

/// Refuses 0.
pub(crate) fn at_least_one(what: &str, number: u64) -> PyResult<()> {
    let words = || format!("{what} is 0, but must be at least 1");
    if number > 0 { Ok(()) } else { Err(RangeError::new_err(words())) }
}
