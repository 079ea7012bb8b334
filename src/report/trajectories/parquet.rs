//! Trajectories as Apache Parquet: the columns of the CSV, each compressed by itself.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use crate::report::trajectories::TrajectoryError;
use crate::report::trajectories::frame::Frame;
use crate::report::trajectories::header::Header;

/// Rows of a row group, about: a frame is not divided.
const ROWS: usize = 1 << 20;

const SCHEMA: &str = "message trajectories {
    required int64 id;
    required int64 frame;
    required double t;
    required float x;
    required float y;
    required float v_x;
    required float v_y;
    required binary group (string);
}";

/// A file under way, and the rows of its next row group, column by column.
pub(super) struct Columns<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    header: Header,
    ids: Vec<i64>,
    frames: Vec<i64>,
    times: Vec<f64>,
    /// x and y of the position, then of the velocity.
    numbers: [Vec<f32>; 4],
    groups: Vec<ByteArray>,
    /// Names by index of the group.
    names: Vec<ByteArray>,
}

impl<W: Write + Send> std::fmt::Debug for Columns<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Columns").field("rows", &self.ids.len()).finish_non_exhaustive()
    }
}

fn properties(header: &Header) -> WriterProperties {
    let about = [
        ("throng", env!("CARGO_PKG_VERSION").to_owned()),
        ("scenario", header.scenario.clone()),
        ("numeric", header.numeric.word().to_owned()),
        ("frame_rate", format!("{:?}", header.frame_rate())),
        ("tick_rate", header.tick_rate.to_string()),
        ("ticks_per_frame", header.every.to_string()),
        ("unit", "m".to_owned()),
        ("y_axis", if header.y_up { "up" } else { "down" }.to_owned()),
    ];
    let about = about.map(|(key, value)| KeyValue::new(key.to_owned(), value));
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("throng version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(about.into()));
    // Ids rise within a frame; the bytes of neighbours' numbers are alike place by place.
    for (name, encoding) in [
        ("id", Encoding::DELTA_BINARY_PACKED),
        ("x", Encoding::BYTE_STREAM_SPLIT),
        ("y", Encoding::BYTE_STREAM_SPLIT),
        ("v_x", Encoding::BYTE_STREAM_SPLIT),
        ("v_y", Encoding::BYTE_STREAM_SPLIT),
    ] {
        properties = properties
            .set_column_encoding(ColumnPath::from(name), encoding)
            .set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    properties.build()
}

impl<W: Write + Send> Columns<W> {
    pub(super) fn start(writer: W, header: &Header) -> Result<Self, TrajectoryError> {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let writer = SerializedFileWriter::new(writer, schema, Arc::new(properties(header)))?;
        Ok(Self {
            writer,
            header: header.clone(),
            ids: Vec::new(),
            frames: Vec::new(),
            times: Vec::new(),
            numbers: Default::default(),
            groups: Vec::new(),
            names: Vec::new(),
        })
    }

    pub(super) fn write(&mut self, frame: &Frame) -> Result<(), TrajectoryError> {
        let groups = frame.rows.iter().map(|row| usize::from(row.group) + 1).max().unwrap_or(0);
        for index in self.names.len()..groups {
            self.names.push(self.header.group(index).as_str().into());
        }
        let rows = self.ids.len() + frame.rows.len();
        self.ids.extend(frame.rows.iter().map(|row| row.id as i64));
        self.frames.resize(rows, frame.number as i64);
        self.times.resize(rows, frame.t);
        for axis in [0, 1] {
            self.numbers[axis].extend(frame.rows.iter().map(|row| row.pos[axis] as f32));
            self.numbers[2 + axis].extend(frame.rows.iter().map(|row| row.vel[axis] as f32));
        }
        let names = &self.names;
        self.groups.extend(frame.rows.iter().map(|row| names[usize::from(row.group)].clone()));
        if rows >= ROWS { self.row_group() } else { Ok(()) }
    }

    fn row_group(&mut self) -> Result<(), TrajectoryError> {
        let mut group = self.writer.next_row_group()?;
        column::<Int64Type, W>(&mut group, &mut self.ids)?;
        column::<Int64Type, W>(&mut group, &mut self.frames)?;
        column::<DoubleType, W>(&mut group, &mut self.times)?;
        for numbers in &mut self.numbers {
            column::<FloatType, W>(&mut group, numbers)?;
        }
        column::<ByteArrayType, W>(&mut group, &mut self.groups)?;
        group.close()?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<W, TrajectoryError> {
        if !self.ids.is_empty() {
            self.row_group()?;
        }
        let mut writer = self.writer.into_inner()?;
        writer.flush()?;
        Ok(writer)
    }
}

/// Writes the next column and empties it.
fn column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &mut Vec<T::T>,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.expect("a column of the schema for each that is written");
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()?;
    values.clear();
    Ok(())
}
