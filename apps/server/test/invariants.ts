export * from '@community/db/testing-invariants'
