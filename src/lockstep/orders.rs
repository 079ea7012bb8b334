//! Orders of a player for a turn.

use crate::data::bytes::{BytesError, Reader, Write};
use crate::lockstep::{MAX_ORDER_BYTES, MAX_ORDERS, Rejection};
use crate::world::Order;

/// A player's orders for a turn, perhaps none. An order's number is its place in the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnOrders {
    /// The player's seat.
    pub player: u8,
    /// The turn in which they are carried out.
    pub turn: u64,
    /// The orders.
    pub orders: Vec<Order>,
    /// Seats that play from then on, if the host orders it: see
    /// [`Lockstep::seat`](crate::lockstep::Lockstep::seat).
    pub seats: Vec<u8>,
    /// Whether the player leaves: these are its last orders.
    pub leaves: bool,
}

impl TurnOrders {
    /// Appends them to bytes.
    pub fn write(&self, to: &mut Vec<u8>) {
        let Self { player, turn, orders, seats, leaves } = self;
        to.value(&(player, turn, leaves, seats, orders.len() as u16));
        orders.iter().for_each(|order| order.write(to));
    }

    /// Reads them.
    ///
    /// # Errors
    /// When the bytes are cut or garbled, or there are too many orders.
    pub fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        let (player, turn, leaves, seats, count): (u8, u64, bool, Vec<u8>, u16) =
            from.value("orders")?;
        if usize::from(count) > MAX_ORDERS {
            return Err(from.error("orders", format!("{count} orders are too many")));
        }
        let orders = (0..count).map(|_| Order::read(from)).collect::<Result<_, _>>()?;
        Ok(Self { player, turn, orders, seats, leaves })
    }

    /// Their bytes: equal for equal orders, whatever numbers they hold.
    ///
    /// # Errors
    /// When they are too large to be sent.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Rejection> {
        let (player, turn) = (self.player, self.turn);
        let large = |what, found, most| Rejection::TooLarge { player, turn, what, found, most };
        if self.orders.len() > MAX_ORDERS {
            return Err(large("orders", self.orders.len(), MAX_ORDERS));
        }
        if self.seats.len() > usize::from(u8::MAX) {
            return Err(large("seats", self.seats.len(), usize::from(u8::MAX)));
        }
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        match bytes.len() {
            found if found > MAX_ORDER_BYTES => Err(large("bytes", found, MAX_ORDER_BYTES)),
            _ => Ok(bytes),
        }
    }
}
