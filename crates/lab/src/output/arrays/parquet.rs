//! Tables as Apache Parquet, the column format of data frames \[parquet\].

use super::column::Column;
use ::parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::ByteArray;
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{Type, TypePtr};
use std::sync::Arc;

/// The bytes of a file with these columns, all of the same length, without compression.
///
/// # Errors
/// Columns that do not form a table, such as two of one name.
pub fn bytes(columns: &[(String, Column)]) -> Result<Vec<u8>> {
    let fields = columns.iter().map(|(name, column)| field(name, column)).collect::<Result<_>>()?;
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
    let properties =
        Arc::new(WriterProperties::builder().set_created_by("stiction".into()).build());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, properties)?;
    let mut group = file.next_row_group()?;
    let mut columns = columns.iter();
    while let Some(mut writer) = group.next_column()? {
        let Some((name, column)) = columns.next() else { break };
        write(writer.untyped(), name, column)?;
        writer.close()?;
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn field(name: &str, column: &Column) -> Result<TypePtr> {
    let physical = match column {
        Column::Counts(_) => Physical::INT64,
        Column::Numbers(_) => Physical::DOUBLE,
        Column::Flags(_) => Physical::BOOLEAN,
        Column::Texts(_) => Physical::BYTE_ARRAY,
    };
    let mut field =
        Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
    if physical == Physical::BYTE_ARRAY {
        field = field
            .with_logical_type(Some(LogicalType::String))
            .with_converted_type(ConvertedType::UTF8);
    }
    Ok(Arc::new(field.build()?))
}

fn write(writer: &mut ColumnWriter<'_>, name: &str, column: &Column) -> Result<()> {
    // level 1 for a value, 0 for a missing one
    fn levels<T>(cells: &[Option<T>]) -> Vec<i16> {
        cells.iter().map(|cell| i16::from(cell.is_some())).collect()
    }
    match (writer, column) {
        (ColumnWriter::DoubleColumnWriter(writer), Column::Numbers(cells)) => {
            let values: Vec<f64> = cells.iter().flatten().copied().collect();
            writer.write_batch(&values, Some(&levels(cells)), None)?;
        }
        (ColumnWriter::Int64ColumnWriter(writer), Column::Counts(cells)) => {
            let values: Vec<i64> = cells.iter().flatten().copied().collect();
            writer.write_batch(&values, Some(&levels(cells)), None)?;
        }
        (ColumnWriter::BoolColumnWriter(writer), Column::Flags(cells)) => {
            let values: Vec<bool> = cells.iter().flatten().copied().collect();
            writer.write_batch(&values, Some(&levels(cells)), None)?;
        }
        (ColumnWriter::ByteArrayColumnWriter(writer), Column::Texts(cells)) => {
            let values: Vec<ByteArray> =
                cells.iter().flatten().map(|text| ByteArray::from(text.as_str())).collect();
            writer.write_batch(&values, Some(&levels(cells)), None)?;
        }
        _ => {
            return Err(ParquetError::General(format!(
                "`{name}` has another type than its schema"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;

    #[test]
    fn what_is_written_is_read_again() {
        let columns = [
            ("a.b".to_string(), Column::Numbers(vec![Some(1e-5), None, Some(3.0)])),
            ("job".to_string(), Column::Counts(vec![Some(7), Some(1 << 60), None])),
            ("ok".to_string(), Column::Flags(vec![None, Some(true), Some(false)])),
            ("why".to_string(), Column::Texts(vec![Some("μ".into()), None, None])),
        ];
        let bytes = bytes(&columns).expect("a table");
        let mut file = tempfile::tempfile().expect("a file");
        std::io::Write::write_all(&mut file, &bytes).expect("written");
        let file = SerializedFileReader::new(file).expect("a table");
        let rows: Vec<_> =
            file.get_row_iter(None).expect("rows").collect::<Result<_>>().expect("rows");
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0].get_double(0).expect("a number"), 1e-5);
        assert_eq!(rows[2].get_double(0).expect("a number"), 3.0);
        assert!(rows[1].get_double(0).is_err(), "there is none");
        assert_eq!(rows[1].get_long(1).expect("a count"), 1 << 60);
        assert!(rows[2].get_long(1).is_err(), "there is none");
        assert!(rows[1].get_bool(2).expect("a flag"));
        assert_eq!(rows[0].get_string(3).expect("a text"), "μ");
    }
}
