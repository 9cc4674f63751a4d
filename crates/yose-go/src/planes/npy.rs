//! Arrays as NumPy's files `.npy` and `.npz`.

use std::io::{self, Seek, Write};

use thiserror::Error;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{Element, Tensor};

/// What stops a `.npz` file from being written.
#[derive(Debug, Error)]
pub enum NpyError {
    /// The place written to.
    #[error("the array cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The archive.
    #[error("the archive cannot be written: {0}")]
    Zip(#[from] zip::result::ZipError),
}

/// Writes an array as a `.npy` file of format 1.0, which `numpy.load` reads: C order, `u8` as `|u1`,
/// `f32` as `<f4`. With `one` an array of a single position loses its first dimension and has shape
/// `(planes, rows, columns)`.
///
/// # Errors
/// Those of the writer.
///
/// ```
/// use yose_go::planes::{Tensor, write_npy};
///
/// let planes = Tensor { shape: [1, 1, 1, 2], data: vec![1_u8, 0] };
/// let mut file = Vec::new();
/// write_npy(&mut file, &planes, true)?;
/// assert_eq!(&file[..6], b"\x93NUMPY");
/// assert_eq!(file.len(), 128 + 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_npy<T: Element>(mut to: impl Write, planes: &Tensor<T>, one: bool) -> io::Result<()> {
    let shape = match planes.shape {
        [1, rest @ ..] if one => text(&rest),
        shape => text(&shape),
    };
    to.write_all(&header(T::DESCR, &shape))?;
    let mut bytes = Vec::new();
    for part in planes.data.chunks(1 << 16) {
        bytes.clear();
        T::append(part, &mut bytes);
        to.write_all(&bytes)?;
    }
    to.flush()
}

fn text(shape: &[usize]) -> String {
    let numbers: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("({})", numbers.join(", "))
}

/// Magic number, version, length of the text, the text; together a multiple of 64 bytes.
fn header(descr: &str, shape: &str) -> Vec<u8> {
    let mut dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let unpadded = 10 + dict.len() + 1;
    dict.extend(std::iter::repeat_n(
        ' ',
        unpadded.next_multiple_of(64) - unpadded,
    ));
    dict.push('\n');
    // Four numbers of 20 digits are far below 2^16 characters.
    let length = u16::try_from(dict.len()).unwrap_or(u16::MAX);
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(dict.into_bytes());
    bytes
}

/// Writes arrays by name as a compressed `.npz` file, which `numpy.load` reads.
///
/// # Errors
/// Those of the writer; a name that is no name for a file of an archive.
pub fn write_npz<T: Element>(
    to: impl Write + Seek,
    arrays: &[(&str, &Tensor<T>)],
) -> Result<(), NpyError> {
    let mut archive = ZipWriter::new(to);
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(true);
    for (name, array) in arrays {
        archive.start_file(format!("{name}.npy"), options)?;
        write_npy(&mut archive, array, false)?;
    }
    archive.finish()?.flush()?;
    Ok(())
}
