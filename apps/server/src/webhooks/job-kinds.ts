/** The kind of the jobs that send deliveries. */
export const WEBHOOK_JOB = 'webhook'
/** The kind of the jobs that write the deliveries of an event to every team's webhooks. */
export const EVENT_JOB = 'webhook-event'
