import { describe, expect, it } from 'vitest'
import { nextPageUrl } from './routes.ts'

describe('the address of the next page', () => {
  it.each([
    ['/api/teams', 'https://x.example/api/teams?cursor=c'],
    ['/api/teams?page=2&limit=5', 'https://x.example/api/teams?limit=5&cursor=c'],
    ['/api/teams?cursor=old&search=a%26b%20c', 'https://x.example/api/teams?cursor=c&search=a%26b+c'],
    ['/api/challenges/category/AI%2FML?limit=1', 'https://x.example/api/challenges/category/AI%2FML?limit=1&cursor=c'],
    ['http://evil.example/api/teams?limit=5', 'https://x.example/api/teams?limit=5&cursor=c'],
    ['/api/teams?search=%3E%0d%0aX', 'https://x.example/api/teams?search=%3E%0D%0AX&cursor=c'],
  ])('of %s is %s', (requested, expected) => {
    expect(nextPageUrl('https://x.example', requested, 'c')).toBe(expected)
  })
})
