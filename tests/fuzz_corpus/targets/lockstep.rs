//! Packets of a game in lockstep, one after another, each behind its length (`u16`): as they are, and
//! with their checksums set right.

use throng::data::bytes::{Reader, Write};
use throng::lockstep::{DigestList, Lockstep, Packet, Peer, Role, Rules, Tie};

use super::mutate::{Part, Random, edit, edit_list};
use super::{Outcome, Target, meter, orders};

/// The target.
pub const TARGET: Target = Target { name: "lockstep", run, seeds, mutate };

/// Most bytes of memory that taking a packet in takes for each of its bytes, and for none.
const CAP: [usize; 2] = [256, 64 << 10];
/// Bytes of a packet before its number of rules, and the number's.
const RULES: std::ops::Range<usize> = 5..13;

fn peer(seat: u8) -> Peer {
    let lockstep = Lockstep::new(Rules::default(), Role::Player(seat));
    Peer::new(lockstep.expect("there is such a seat"))
}

/// Gives packets to a player, which runs the ticks that are due in between and answers.
pub fn run(bytes: &[u8]) -> Outcome {
    let (mut me, mut taken) = (peer(0), false);
    let other = me.connect(Role::Player(1), Tie::Equal);
    for packet in take_apart(bytes) {
        for packet in [&packet, &mended(&packet)] {
            let cap = |_: &_| CAP[0] * packet.len() + CAP[1];
            let answer = meter::within("a packet", cap, || me.incoming(other, packet));
            taken |= answer.is_ok();
            if let Ok(read) = Packet::read(packet, Rules::default().digest()) {
                let again = Packet::read(&read.write(), read.rules).expect("it is a packet");
                assert_eq!(again.write(), read.write(), "what is written is read back");
            }
            if let Ok(read) = DigestList::read(packet) {
                assert_eq!(DigestList::read(&read.write()).as_ref(), Ok(&read));
                taken = true;
            }
        }
        for _ in 0..4 {
            let Some(due) = me.next_tick() else { break };
            let digest = due.orders.len() as u64;
            me.report(digest);
        }
        // Too far behind is an answer as well.
        let _ = me.outgoing(other);
    }
    if taken { Outcome::Played } else { Outcome::Refused }
}

/// The packets; the last one may be cut.
fn take_apart(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut reader = Reader::new(bytes);
    let mut packets = Vec::new();
    while let Ok(length) = reader.u16("length") {
        let length = usize::from(length).min(reader.left());
        packets.push(reader.take("packet", length).expect("so many are left").to_vec());
    }
    packets
}

fn put_together(packets: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for packet in packets {
        bytes.u16(packet.len() as u16);
        bytes.extend_from_slice(&packet[..packet.len() & 0xffff]);
    }
    bytes
}

/// A packet of this game whose checksum is right.
fn mended(packet: &[u8]) -> Vec<u8> {
    let mut packet = packet[..packet.len().saturating_sub(4)].to_vec();
    let of_game = packet.starts_with(b"THRP");
    if let Some(rules) = packet.get_mut(RULES).filter(|_| of_game) {
        rules.copy_from_slice(&Rules::default().digest().to_le_bytes());
    }
    let checksum = crc32fast::hash(&packet);
    packet.u32(checksum);
    packet
}

/// Changes the list of packets, or one of them.
fn mutate(bytes: &[u8], random: &mut Random, part: Part<'_>) -> Vec<u8> {
    let mut packets = take_apart(bytes);
    edit_list(&mut packets, random, |packet, random| {
        if random.below(2) == 0 {
            edit(packet, random)
        } else {
            part(packet, random)
        }
        *packet = mended(packet);
    });
    put_together(&packets)
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let digests = DigestList { first: 3, digests: vec![1, 2, 3] };
    vec![("game", game()), ("digests", put_together(&[digests.write()]))]
}

/// The packets that one of two players sends in a short game.
fn game() -> Vec<u8> {
    let (mut me, mut you) = (peer(0), peer(1));
    let links = [me.connect(Role::Player(1), Tie::Equal), you.connect(Role::Player(0), Tie::Equal)];
    let campaign = orders::campaign();
    let mut sent = Vec::new();
    for at in 0..12 {
        for order in campaign.get(at).into_iter().flatten() {
            you.issue(order).expect("there is room");
        }
        for peer in [&mut me, &mut you] {
            if let Some(due) = peer.next_tick() {
                let digest = due.orders.len() as u64;
                peer.report(digest);
            }
        }
        for packet in me.outgoing(links[0]).expect("nobody is behind") {
            you.incoming(links[1], &packet).expect("it is a good packet");
        }
        for packet in you.outgoing(links[1]).expect("nobody is behind") {
            me.incoming(links[0], &packet).expect("it is a good packet");
            sent.push(packet);
        }
    }
    put_together(&sent)
}
