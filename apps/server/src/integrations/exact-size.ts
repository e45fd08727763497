import { Transform } from 'node:stream'

/** A stream that passes exactly `size` bytes and fails with a `RangeError` for more or fewer. Calls `onChunk` for each chunk. */
export function exactly(size: number, onPassed = () => {}): Transform {
  let passed = 0
  const lie = () => new RangeError(`${passed} bytes came, ${size} were announced`)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      onPassed()
      if (passed > size) done(lie())
      else done(null, chunk)
    },
    flush: (done) => done(passed === size ? null : lie()),
  })
}
