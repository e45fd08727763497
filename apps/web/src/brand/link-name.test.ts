import { describe, expect, it } from 'vitest'
import { linkName } from './link-name.ts'

describe('linkName', () => {
  it.each([
    ['https://github.com/atlas-lions/tram-app', 'atlas-lions/tram-app', 'github.com', 'GitHub'],
    ['https://www.figma.com/', 'figma.com', 'figma.com', 'Figma'],
    ['https://zellij.vercel.app', 'zellij.vercel.app', 'zellij.vercel.app', null],
    ['https://example.ma/%D9%85%D8%B4%D8%B1%D9%88%D8%B9', 'مشروع', 'example.ma', null],
    ['https://www.youtube.com/watch?v=a1', 'watch?v=a1', 'youtube.com', 'YouTube'],
    ['https://example.ma/%E0%A4%A', '%E0%A4%A', 'example.ma', null],
  ])('%s', (address, title, host, service) => {
    expect(linkName(address)).toEqual({ title, host, service })
  })

  it.each(['', 'atlas lions', 'javascript:alert(1)', 'ftp://example.ma/x'])('knows no page in %j', (address) => {
    expect(linkName(address)).toBeNull()
  })
})
