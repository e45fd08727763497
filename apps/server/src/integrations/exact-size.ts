import { Transform } from 'node:stream'

/** Lets exactly so many bytes pass, telling of each piece; a body that lies about its size breaks off with a `RangeError`. */
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
