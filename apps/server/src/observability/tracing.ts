import { setTimeout as sleep } from 'node:timers/promises'
import { codesOf, observeStatements } from '@community/db'
import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, databaseErrorOf } from '../errors.ts'
import { isEventStream } from '../http/event-path.ts'
import { onResponseFinished } from '../http/response-finished.ts'
import { routeNameOf } from './route-name.ts'

/** Milliseconds that a stop waits for the last spans to be sent. */
const FLUSH_TIMEOUT_MS = 2000

/** The `TRPCError` in which tRPC wraps anything that a procedure throws. */
type ProcedureError = Error & { code: string }
type ProcedureResult = { ok: true } | { ok: false; error: ProcedureError }

export interface Tracing {
  /** Starts a span for each request, below the caller's span if `traceparent` names one. Call it before other hooks are added. */
  traceRequests(app: FastifyInstance): void
  /** Runs a procedure in a span. */
  traceProcedure<T extends ProcedureResult>(name: string, run: () => Promise<T>): Promise<T>
  /** Sends the remaining spans. */
  close(): Promise<void>
}

/** A statement's verb and first table. */
const summarize = (text: string): string =>
  [/^\s*(\w+)/, /\b(?:from|into|update)\s+"?(\w+)/i]
    .flatMap((part) => part.exec(text)?.[1] ?? [])
    .join(' ')
    .toLowerCase()

function endRequest(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode } = reply
  const route = routeNameOf(request)
  span.updateName(`${request.method} ${route}`)
  span.setAttributes({ 'http.route': route, 'http.response.status_code': statusCode })
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  // The client disconnected.
  if (!reply.raw.writableFinished) span.setAttribute('error.type', 'aborted')
  span.end()
}

/** The code of a failed procedure, which is all that its span says about the error: messages can repeat what was entered. */
function recordFailure(span: Span, { code, cause }: ProcedureError): void {
  const definition = cause instanceof AppError ? cause.definition : databaseErrorOf(cause)
  span.setAttribute('error.type', definition?.code ?? code)
  if (definition ? definition.status >= 500 : code === 'INTERNAL_SERVER_ERROR')
    span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Sends spans of requests, procedures and statements to the OTLP receiver at `endpoint`. They contain no values of either. */
export function startTracing(endpoint: string, log: FastifyBaseLogger): Tracing {
  const ignore = () => {}
  const warn = (message: string) => log.warn(`OpenTelemetry: ${message}`)
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'community' }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })),
    ],
  })
  provider.register()
  const tracer = provider.getTracer('community')

  const endObservation = observeStatements((text, send) => {
    // Statements of jobs have no request.
    if (!trace.getActiveSpan()) return send()
    const summary = summarize(text)
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.query.text': text }
    return tracer.startActiveSpan(summary, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        return await send()
      } catch (error) {
        span.setAttribute('error.type', codesOf(error)[0] ?? 'unknown')
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
  })

  return {
    traceRequests(app) {
      app.addHook('onRequest', (request, reply, done) => {
        // An event stream ends only when its client disconnects.
        if (isEventStream(request)) return done()
        const parent = propagation.extract(ROOT_CONTEXT, request.headers)
        const attributes = { 'http.request.method': request.method, 'http.response.header.x-request-id': [request.id] }
        const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent)
        onResponseFinished(request, reply, () => endRequest(span, request, reply))
        context.with(trace.setSpan(parent, span), done)
      })
    },
    traceProcedure: (name, run) =>
      tracer.startActiveSpan(name, { attributes: { 'rpc.method': name } }, async (span) => {
        try {
          const result = await run()
          if (!result.ok) recordFailure(span, result.error)
          return result
        } finally {
          span.end()
        }
      }),
    close() {
      endObservation()
      return Promise.race([provider.shutdown(), sleep(FLUSH_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}
