// Zod looks whether it may compile code; under our content security policy the very look is reported as a violation.
// It reads this when it loads, so this module comes before any that brings it.
export const ZOD_CONFIG = { jitless: true }

Object.assign(globalThis, { __zod_globalConfig: ZOD_CONFIG })
