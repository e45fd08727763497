// Zod looks whether it may compile code; under our content security policy the very look is reported as a violation.
// It reads this when it loads, so this module comes before any that brings it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

export {}
