//! The table as Apache Parquet.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type as SchemaType;

use crate::sweep::table::{Cells, Column};

/// The bytes of a file with these columns: whole numbers as UINT_64, other numbers as doubles.
pub(crate) fn bytes(columns: &[Column]) -> Result<Vec<u8>, ParquetError> {
    let field = |Column { name, cells }: &Column| {
        let (kind, logical) = match cells {
            Cells::Whole(_) => (Type::INT64, Some(LogicalType::integer(64, false))),
            Cells::Number(_) => (Type::DOUBLE, None),
            Cells::Text(_) => (Type::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = SchemaType::primitive_type_builder(name, kind).with_logical_type(logical);
        field.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    let schema = Arc::new(SchemaType::group_type_builder("runs").with_fields(fields).build()?);
    let properties = WriterProperties::builder()
        .set_created_by(concat!("throng version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY);
    let properties = Arc::new(properties.build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties)?;
    let mut group = writer.next_row_group()?;
    for Column { cells, .. } in columns {
        let mut column = group.next_column()?.expect("a column of the schema");
        match cells {
            Cells::Whole(cells) => {
                // Bits of 64 without a sign, as the schema says.
                write::<Int64Type, _>(&mut column, cells, |&cell| cell as i64)?;
            }
            Cells::Number(cells) => write::<DoubleType, _>(&mut column, cells, |cell| cell.1)?,
            Cells::Text(cells) => {
                write::<ByteArrayType, _>(&mut column, cells, |cell| {
                    ByteArray::from(cell.as_str())
                })?;
            }
        }
        column.close()?;
    }
    group.close()?;
    writer.into_inner()
}

fn write<T: DataType, C>(
    column: &mut SerializedColumnWriter<'_>,
    cells: &[Option<C>],
    value: impl Fn(&C) -> T::T,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.iter().flatten().map(value).collect();
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    Ok(())
}
