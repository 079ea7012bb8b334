//! What a request asks: its path and query become an [`Ask`].

use std::str::FromStr;

use throng::data::Id;

use crate::view::ask::{AgentsAsk, Answer, Ask, Control, Frame, Heat, PageOrder, Value, Whom};
use crate::view::http::Request;

/// Most cells along a side of a raster.
const MAX_CELLS: u32 = 512;
/// Most corners of a polygon to build in.
const MAX_CORNERS: usize = 64;

/// The words of a query.
struct Query<'a>(&'a str);

impl Query<'_> {
    fn word(&self, name: &str) -> Option<&str> {
        let pairs = self.0.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
    }

    /// A value, if it is there.
    fn maybe<T: FromStr>(&self, name: &str) -> Result<Option<T>, Answer> {
        let bad = |word: &str| Answer::refused(400, format!("`{name}={word}` is no good"));
        self.word(name).map(|word| word.parse().map_err(|_| bad(word))).transpose()
    }

    fn value<T: FromStr>(&self, name: &str) -> Result<T, Answer> {
        self.maybe(name)?.ok_or_else(|| Answer::refused(400, format!("`{name}` is missing")))
    }

    /// Numbers between commas, all finite.
    fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, Answer> {
        let Some(word) = self.word(name) else { return Ok(None) };
        let numbers =
            word.split(',').map(|number| number.parse().ok().filter(|n: &f64| n.is_finite()));
        let numbers: Option<Vec<f64>> = numbers.collect();
        let bad = || Answer::refused(400, format!("`{name}={word}` is no list of numbers"));
        numbers.map(Some).ok_or_else(bad)
    }

    fn point(&self, name: &str) -> Result<[f64; 2], Answer> {
        let numbers = self.numbers(name)?.unwrap_or_default();
        let bad = |_| Answer::refused(400, format!("`{name}` is not x,y in metres"));
        numbers.try_into().map_err(bad)
    }

    fn frame(&self) -> Result<Option<Frame>, Answer> {
        let Some(numbers) = self.numbers("frame")? else { return Ok(None) };
        let frame: Option<Frame> = numbers.try_into().ok();
        let frame = frame.filter(|[x0, y0, x1, y1]| x0 < x1 && y0 < y1);
        let bad = || Answer::refused(400, "`frame` is not x,y,x,y in metres, the least first");
        frame.map(Some).ok_or_else(bad)
    }

    /// A frame that must be there.
    fn whole_frame(&self) -> Result<Frame, Answer> {
        self.frame()?.ok_or_else(|| Answer::refused(400, "`frame` is missing"))
    }

    /// A frame and about how many cells along its longer side.
    fn raster(&self) -> Result<(Frame, u32), Answer> {
        let frame = self.whole_frame()?;
        Ok((frame, self.value::<u32>("cells")?.clamp(1, MAX_CELLS)))
    }

    fn corners(&self) -> Result<Vec<[f64; 2]>, Answer> {
        let numbers = self.numbers("corners")?.unwrap_or_default();
        let corners: Vec<_> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        match corners.len() {
            3..=MAX_CORNERS if numbers.len() % 2 == 0 => Ok(corners),
            _ => Err(Answer::refused(400, format!("`corners` are 3 to {MAX_CORNERS} points"))),
        }
    }
}

/// What a request behind the token asks.
pub(super) fn ask(request: &Request, rest: &str) -> Result<Ask, Answer> {
    let (name, query) = rest.split_once('?').unwrap_or((rest, ""));
    let query = Query(query);
    let posted = matches!(name, "order" | "control");
    if request.method != if posted { "POST" } else { "GET" } {
        return Err(Answer::refused(405, format!("`{name}` takes no {}", request.method)));
    }
    Ok(match name {
        "info" => Ask::Info,
        "agents" => Ask::Agents(agents(&query)?),
        "ground" => Ask::Ground,
        "heat" => {
            let of = match query.word("of") {
                Some("density") => Heat::Density,
                Some("speed") => Heat::Speed,
                Some("overlap") => Heat::Overlap,
                _ => return Err(Answer::refused(400, "`of` is density, speed or overlap")),
            };
            let (frame, cells) = query.raster()?;
            Ask::Heat { of, frame, cells }
        }
        "arrows" => {
            let (frame, cells) = query.raster()?;
            Ask::Arrows { group: query.value("group")?, frame, cells: cells.min(128) }
        }
        "ways" => Ask::Ways(query.whole_frame()?),
        "areas" => Ask::Areas,
        "agent" => Ask::Agent(query.value("id")?),
        "pick" => {
            let reach: f64 = query.value("reach")?;
            let at = query.point("at")?;
            Ask::Pick { at, reach: reach.clamp(0.0, 1e6) }
        }
        "select" => Ask::Select(query.whole_frame()?),
        "order" => Ask::Order(order(&query, &request.body)?),
        "control" => Ask::Control(control(&query)?),
        "digest" => Ask::Digest,
        "replay" => Ask::Replay,
        "rest" => Ask::Rest,
        _ => return Err(Answer::refused(404, "there is nothing here")),
    })
}

fn agents(query: &Query<'_>) -> Result<AgentsAsk, Answer> {
    let value = match query.word("value") {
        None | Some("heading") => Value::Heading,
        Some("speed") => Value::Speed,
        Some("health") => Value::Health,
        Some("mind") => Value::Mind,
        _ => return Err(Answer::refused(400, "`value` is heading, speed, health or mind")),
    };
    Ok(AgentsAsk {
        have: query.maybe("have")?.unwrap_or(0),
        frame: query.frame()?,
        detail: query.word("detail") == Some("1"),
        value,
    })
}

fn control(query: &Query<'_>) -> Result<Control, Answer> {
    let speed = match query.word("speed") {
        Some("max") => Some(f64::INFINITY),
        _ => query.maybe::<f64>("speed")?.filter(|speed| (0.001..=1000.0).contains(speed)),
    };
    Ok(Control {
        play: query.maybe::<i8>("play")?.map(i8::signum),
        speed,
        tick: query.maybe("tick")?,
        step: query.maybe("step")?,
    })
}

fn order(query: &Query<'_>, body: &[u8]) -> Result<PageOrder, Answer> {
    Ok(match query.word("kind") {
        Some("move") => PageOrder::Move { whom: whom(query, body)?, to: query.point("to")? },
        Some("stop") => PageOrder::Stop(whom(query, body)?),
        Some("rejoin") => PageOrder::Rejoin(ids(body)?),
        Some("build") => PageOrder::Build(query.corners()?),
        Some("demolish") => PageOrder::Demolish(query.corners()?),
        _ => {
            let kinds = "`kind` is move, stop, rejoin, build or demolish";
            return Err(Answer::refused(400, kinds));
        }
    })
}

fn whom(query: &Query<'_>, body: &[u8]) -> Result<Whom, Answer> {
    match query.maybe("group")? {
        Some(group) => Ok(Whom::Group(group)),
        None => ids(body).map(Whom::Agents),
    }
}

/// Ids in the body: index and generation, four bytes each, the lowest first.
fn ids(body: &[u8]) -> Result<Vec<Id>, Answer> {
    let (words, rest) = body.as_chunks::<4>();
    if words.is_empty() || words.len() % 2 != 0 || !rest.is_empty() {
        return Err(Answer::refused(400, "the body is not ids of 8 bytes each"));
    }
    let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    let id = |pair: &[[u8; 4]]| Id { index: word(&pair[0]), generation: word(&pair[1]) };
    Ok(words.chunks_exact(2).map(id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &str, target: &str, body: &[u8]) -> Result<Ask, u16> {
        let (method, body) = (method.to_owned(), body.to_vec());
        let request = Request { method, body, ..Request::default() };
        ask(&request, target).map_err(|answer| answer.status)
    }

    #[test]
    fn queries_say_what_is_asked() {
        assert_eq!(asked("GET", "info", &[]), Ok(Ask::Info));
        let all = AgentsAsk { have: 7, frame: None, detail: false, value: Value::Heading };
        assert_eq!(asked("GET", "agents?have=7", &[]), Ok(Ask::Agents(all)));
        let near = AgentsAsk {
            have: 0,
            frame: Some([0.0, 1.5, 20.0, 30.0]),
            detail: true,
            value: Value::Health,
        };
        let target = "agents?frame=0,1.5,20,30&detail=1&value=health";
        assert_eq!(asked("GET", target, &[]), Ok(Ask::Agents(near)));
        let control = Control { play: Some(-1), speed: Some(f64::INFINITY), ..Control::default() };
        assert_eq!(asked("POST", "control?play=-1&speed=max", &[]), Ok(Ask::Control(control)));
        let whom = Whom::Agents(vec![Id { index: 258, generation: 3 }]);
        let to = [4.0, 5.0];
        assert_eq!(
            asked("POST", "order?kind=move&to=4,5", &[2, 1, 0, 0, 3, 0, 0, 0]),
            Ok(Ask::Order(PageOrder::Move { whom, to }))
        );
        let corners = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        assert_eq!(
            asked("POST", "order?kind=build&corners=0,0,1,0,0,1", &[]),
            Ok(Ask::Order(PageOrder::Build(corners)))
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (method, target, status) in [
            ("GET", "", 404),
            ("GET", "../secret", 404),
            ("POST", "info", 405),
            ("GET", "control?play=1", 405),
            ("GET", "order?kind=stop&group=0", 405),
            ("GET", "agents?have=x", 400),
            ("GET", "agents?value=mood", 400),
            ("GET", "agents?frame=0,0,0,1", 400),
            ("GET", "agents?frame=0,0,NaN,1", 400),
            ("GET", "heat?of=love&frame=0,0,1,1&cells=9", 400),
            ("GET", "arrows?frame=0,0,1,1&cells=9", 400),
            ("GET", "pick?at=1&reach=2", 400),
            ("GET", "select", 400),
            ("GET", "ways?frame=0,0,1", 400),
            ("POST", "order?kind=dance", 400),
            ("POST", "order?kind=stop", 400),
            ("POST", "order?kind=build&corners=0,0,1,1", 400),
            ("POST", "order?kind=move&to=1,inf&group=0", 400),
        ] {
            assert_eq!(asked(method, target, &[]), Err(status), "{method} {target}");
        }
        assert_eq!(asked("POST", "order?kind=stop", &[1, 2, 3]), Err(400));
    }
}
