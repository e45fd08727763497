import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, describe, expect, it } from 'vitest'
import { queryClient } from './query-client.ts'

describe('a write while the device is offline', () => {
  afterEach(() => onlineManager.setOnline(true))

  it('fails at once instead of waiting to happen later', async () => {
    onlineManager.setOnline(false)
    const write = new MutationObserver(queryClient, {
      mutationFn: () => Promise.reject(new TypeError('Failed to fetch')),
    })
    await expect(write.mutate()).rejects.toThrow('Failed to fetch')
  })
})
