//! The table macro: every column is declared once, with its unit.

/// Declares a table: a struct of columns with one row type, and the list that digests, dumps and
/// snapshots share.
macro_rules! table {
    (
        $(#[$doc:meta])*
        pub struct $table:ident<$n:ident: $bound:ident> as $name:literal {
            $($(#[$column_doc:meta])* $column:ident: $type:ty, $unit:literal;)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default)]
        pub struct $table<$n: $bound> {
            $($(#[$column_doc])* pub $column: $crate::data::Column<$type>,)+
        }

        impl<$n: $bound> $table<$n> {
            /// Appends a row.
            #[expect(clippy::allow_attributes, reason = "generated for any number of columns")]
            #[allow(clippy::too_many_arguments, reason = "generated: one argument a column")]
            pub fn push(&mut self, $($column: $type),+) {
                $(self.$column.push($column);)+
            }

            /// Removes a row; the last one takes its place.
            pub fn swap_remove(&mut self, row: usize) {
                $(self.$column.swap_remove(row);)+
            }

            /// Sets the number of rows; new ones are zero.
            pub fn resize(&mut self, rows: usize) {
                $(self.$column.resize(rows);)+
            }

            /// Takes on the rows of lists of little-endian bytes, by the names of the columns.
            pub(crate) fn fill<'a>(&mut self, list: impl Fn(&'static str) -> &'a [u8]) {
                $(
                    let bytes = list(concat!($name, ".", stringify!($column)));
                    self.$column.resize(bytes.len() / size_of::<$type>());
                    $crate::data::row::read_all(bytes, &mut self.$column);
                )+
            }

            /// Every column, in the order of its declaration.
            pub fn columns(&self) -> Vec<$crate::data::ColumnView<'_>> {
                vec![$($crate::data::ColumnView {
                    name: concat!($name, ".", stringify!($column)),
                    unit: $unit,
                    words: <$type as $crate::data::Row>::WORDS,
                    bytes: self.$column.bytes(),
                }),+]
            }
        }
    };
}
pub(crate) use table;
