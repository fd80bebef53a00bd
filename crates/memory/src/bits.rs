//! Bit-fields: reads and writes of some bits of the bytes at an address.

use heapwright_program::{BitRange, mask};

use crate::access::UninitialisedBytes;
use crate::fault::{Access, MemoryFault};
use crate::memory::Memory;
use crate::value::Value;

/// A bit-field of 128 bits that starts within a byte touches one byte more than sixteen.
const MOST_BYTES: usize = 17;

impl Memory {
    /// Reads a bit-field as an unsigned number.
    pub fn load_bits(
        &mut self,
        pointer: Value,
        bits: BitRange,
        unknown: &mut dyn UninitialisedBytes,
    ) -> Result<u128, Box<MemoryFault>> {
        let position = self.readable(pointer, bits.bytes(), unknown)?;
        let size = bits.bytes() as usize;
        let mut bytes = [0; MOST_BYTES];
        bytes[..size].copy_from_slice(&self.storage.bytes[position..position + size]);
        let offset = u32::from(bits.offset);
        let (front, last) = split(bytes);
        let upper = if offset == 0 { 0 } else { u128::from(last) << (128 - offset) };
        Ok((front >> offset | upper) & mask(u32::from(bits.width)))
    }

    /// Writes a bit-field. The other bits of its bytes stay, so bytes that it covers in part and
    /// that are uninitialised get their values first.
    pub fn store_bits(
        &mut self,
        pointer: Value,
        bits: BitRange,
        value: u128,
        unknown: &mut dyn UninitialisedBytes,
    ) -> Result<(), Box<MemoryFault>> {
        let size = bits.bytes();
        let (index, offset) = self.resolve(pointer, size, Access::Write { size })?;
        let end = u64::from(bits.offset) + u64::from(bits.width);
        if bits.offset != 0 {
            self.settle(index, offset, 1, unknown);
        }
        if end % 8 != 0 {
            self.settle(index, offset + size - 1, 1, unknown);
        }
        let position = self.writable(pointer, size)?;
        let bytes = &mut self.storage.bytes[position..position + size as usize];
        for (number, byte) in bytes.iter_mut().enumerate() {
            for bit in 0..8 {
                // Bit `bit` of this byte is this bit of the field, if it belongs to it.
                let of_field = (8 * number + bit).checked_sub(usize::from(bits.offset));
                if let Some(of_field) = of_field.filter(|&at| at < usize::from(bits.width)) {
                    *byte = *byte & !(1 << bit) | ((value >> of_field & 1) as u8) << bit;
                }
            }
        }
        Ok(())
    }
}

fn split(bytes: [u8; MOST_BYTES]) -> (u128, u8) {
    let mut front = [0; 16];
    front.copy_from_slice(&bytes[..16]);
    (u128::from_le_bytes(front), bytes[16])
}
