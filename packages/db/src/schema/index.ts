export * from './accounts.ts'
export * from './administration.ts'
export * from './challenges.ts'
export * from './teams.ts'
