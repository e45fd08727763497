import { headersOf } from './headers.ts'

/** A success of a route outside the contract, in the envelope of all JSON responses. `data`: the schemas of its fields, all required. */
export const successResponse = (description: string, data: Record<string, object>, example: object) => ({
  description,
  headers: headersOf(),
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['success', 'message', 'data'],
        properties: {
          success: { type: 'boolean', const: true },
          message: { type: 'string', description: 'An English sentence' },
          data: { type: 'object', required: Object.keys(data), properties: data },
        },
      },
      example,
    },
  },
})
