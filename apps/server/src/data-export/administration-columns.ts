import { auditLog, blacklist, idempotencyKeys, jobs, warnings, webhookDeliveries, webhooks } from '@community/db/schema'
import { and, eq } from 'drizzle-orm'
import type { Decisions } from './decision.ts'

/** Administration, mails, webhooks and limits. */
export const administrationColumns: Decisions<
  | 'warnings'
  | 'blacklist'
  | 'auditLog'
  | 'jobs'
  | 'webhooks'
  | 'webhookDeliveries'
  | 'idempotencyKeys'
  | 'idempotencyOwners'
  | 'rateLimits'
  | 'pendingExternalSignIns'
  | 'roles'
  | 'teamRolesNeeded'
  | 'pointsLedger'
  | 'counts'
  | 'settings'
  | 'archiveImports'
> = {
  warnings: {
    sections: {
      warnings: { where: ({ id }) => eq(warnings.userId, id), columns: ['id', 'reason', 'createdAt'] },
    },
    withheld: ['userId', 'createdBy'],
  },
  blacklist: {
    sections: {
      blacklist: {
        where: ({ emailKey }) => eq(blacklist.emailKey, emailKey),
        columns: ['email', 'reason', 'createdAt'],
      },
    },
    withheld: ['id', 'emailKey', 'createdBy'],
  },
  auditLog: {
    sections: {
      // Without the administrator’s name and address.
      auditLog: {
        where: ({ id }) => and(eq(auditLog.targetType, 'user'), eq(auditLog.targetId, id)),
        columns: ['uuid', 'action', 'details', 'result', 'createdAt'],
      },
      // Without details, which are about others.
      ownActions: {
        where: ({ id }) => eq(auditLog.actorId, id),
        columns: [
          ...(['uuid', 'action', 'targetType', 'actorName', 'address', 'tokenName', 'result'] as const),
          ...(['uses', 'lastUsedAt', 'createdAt'] as const),
        ],
      },
    },
    withheld: ['id', 'actorId', 'targetId', 'requestId', 'useKey'],
  },
  jobs: {
    sections: {
      mails: {
        where: ({ email }) => eq(jobs.recipient, email),
        columns: ['id', 'template', 'recipient', 'language', 'status', 'attempts', 'createdAt', 'expiresAt', 'doneAt'],
      },
    },
    withheld: ['kind', 'key', 'availableAt', 'leaseUntil', 'lastError'],
    // Sealed; it may hold a valid code.
    secret: ['payload'],
  },
  webhooks: {
    sections: {
      webhooks: {
        where: ({ id }) => eq(webhooks.createdBy, id),
        columns: ['id', 'teamId', 'url', 'events', 'isActive', 'failingSince', 'createdAt', 'updatedAt'],
      },
    },
    withheld: ['previousSecretUntil', 'createdBy'],
    secret: ['secret', 'previousSecret', 'olderSecrets'],
  },
  webhookDeliveries: {
    sections: {
      webhookMessages: {
        where: ({ id }) => eq(webhookDeliveries.userId, id),
        columns: ['id', 'event', 'body', 'createdAt', 'deliveredAt'],
      },
    },
    withheld: ['webhookId', 'userId', 'key', 'status', 'attempts', 'responseStatus', 'error'],
  },
  idempotencyKeys: {
    sections: {
      idempotencyKeys: {
        where: ({ id }) => eq(idempotencyKeys.owner, id),
        columns: ['key', 'call', 'status', 'createdAt', 'expiresAt'],
      },
    },
    withheld: ['owner', 'leaseUntil'],
    // The body may hold a password.
    secret: ['bodyHash', 'answer'],
  },
  idempotencyOwners: { withheld: ['owner', 'live'] },
  // Request counters, deleted within a day. A key may contain the IP address of somebody else who tried to sign in.
  rateLimits: { withheld: ['key', 'count', 'resetsAt', 'underWay', 'underWayUntil'] },
  pendingExternalSignIns: { withheld: ['expiresAt'], secret: ['stateHash'] },
  roles: { withheld: ['id', 'name', 'emoji', 'description', 'category', 'requirements', 'position'] },
  teamRolesNeeded: { withheld: ['teamId', 'roleId', 'position'] },
  pointsLedger: { withheld: ['id', 'teamId', 'challengeId', 'submissionId', 'reason', 'delta', 'createdAt'] },
  counts: { withheld: ['name', 'key', 'amount'] },
  settings: {
    withheld: ['id', 'teamCreationEnabled', 'pages', 'communityId', 'updatedAt'],
    secret: ['secretFingerprint'],
  },
  archiveImports: {
    withheld: [
      ...(['id', 'fileName', 'size', 'parts', 'status', 'done', 'total', 'fault', 'faultDetails'] as const),
      ...(['createdAt', 'updatedAt'] as const),
    ],
  },
}
