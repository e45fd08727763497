import { pushAddressPrivate, pushUnavailable } from '../error-catalogue.ts'
import { PUSH_SUBSCRIPTIONS_MAX } from '../limits.ts'
import { route } from '../route.ts'
import { PushState, PushSubscriptionInput } from './push-schemas.ts'

/** Push messages to the device of a session; not in the specification. */
export const pushRoutes = {
  push: route('GET /notifications/push', {
    access: 'member',
    beyondSpecification: true,
    sessionOnly: true,
    summary: 'Whether this device gets push messages, and the key to subscribe with',
    output: PushState,
  }),
  subscribePush: route('PUT /notifications/push', {
    access: 'member',
    beyondSpecification: true,
    sessionOnly: true,
    summary: 'Send push messages to this device until its session ends',
    description: `The body is what the browser’s \`PushManager.subscribe\` returned. It replaces the earlier one of this session, and ends those of other sessions with the same \`endpoint\`, and the oldest of the caller’s if they have more than ${PUSH_SUBSCRIPTIONS_MAX}.`,
    input: PushSubscriptionInput,
    successMessage: 'Push messages are on',
    errors: { pushUnavailable, pushAddressPrivate },
  }),
  unsubscribePush: route('DELETE /notifications/push', {
    access: 'member',
    beyondSpecification: true,
    sessionOnly: true,
    summary: 'Send no more push messages to this device',
    successMessage: 'Push messages are off',
  }),
}
