// Zod tests whether it may compile code, which our content security policy reports as a violation.
// Import this module before zod, which reads the setting when it loads.
const ZOD_CONFIG = { jitless: true }

Object.assign(globalThis, { __zod_globalConfig: ZOD_CONFIG })
