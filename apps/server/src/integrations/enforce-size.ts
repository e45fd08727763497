import { Transform } from 'node:stream'

/** A stream that passes exactly `size` bytes and fails with a `RangeError` for more or fewer. Calls `onChunk` for each chunk. */
export function enforceSize(size: number, onChunk = () => {}): Transform {
  let received = 0
  const sizeError = () => new RangeError(`${received} bytes received, ${size} declared`)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      onChunk()
      if (received > size) done(sizeError())
      else done(null, chunk)
    },
    flush: (done) => done(received === size ? null : sizeError()),
  })
}
