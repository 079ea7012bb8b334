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
        to.u8(self.player);
        to.u64(self.turn);
        to.u8(u8::from(self.leaves));
        to.u8(self.seats.len() as u8);
        to.extend_from_slice(&self.seats);
        to.u16(self.orders.len() as u16);
        self.orders.iter().for_each(|order| order.write(to));
    }

    /// Reads them.
    ///
    /// # Errors
    /// When the bytes are cut or garbled, or there are too many orders.
    pub fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        let (player, turn) = (from.u8("player")?, from.u64("turn")?);
        let leaves = match from.u8("leaves")? {
            0 => false,
            1 => true,
            other => return Err(from.error("leaves", format!("there is no kind {other}"))),
        };
        let seats = usize::from(from.u8("seats")?);
        let seats = from.take("seats", seats)?.to_vec();
        let count = usize::from(from.u16("orders")?);
        if count > MAX_ORDERS || count > from.left() / 2 {
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
