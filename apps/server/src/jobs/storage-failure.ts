import type { StorageUnavailable } from '../integrations/storage.ts'
import { JobFailure } from './worker.ts'

/** The failure of a job that used the storage: an error of one object is no outage, and after some attempts its job is dead. */
export const storageFailure = ({ message, scope }: StorageUnavailable): JobFailure =>
  new JobFailure(message, scope === 'storage' ? 'unavailable' : 'temporary')
