export * from './entities.ts'
export * from './example-of.ts'
export * from './sample.ts'
export * from './valid-inputs.ts'
