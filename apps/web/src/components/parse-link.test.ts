import { describe, expect, it } from 'vitest'
import { parseLink } from './parse-link.ts'

describe('parseLink', () => {
  it.each([
    ['https://github.com/atlas-lions/tram-app', 'atlas-lions/tram-app', 'github.com', 'GitHub', 'code'],
    ['https://www.figma.com/', 'figma.com', 'figma.com', 'Figma', 'design'],
    ['https://zellij.vercel.app', 'zellij.vercel.app', 'zellij.vercel.app', 'Vercel', 'page'],
    ['https://example.ma/%D9%85%D8%B4%D8%B1%D9%88%D8%B9', 'مشروع', 'example.ma', null, 'page'],
    ['https://www.youtube.com/watch?v=a1', 'YouTube', 'youtube.com', 'YouTube', 'video'],
    ['https://example.ma/index.php?page=2', 'index.php?page=2', 'example.ma', null, 'page'],
    ['https://example.ma/%E0%A4%A', '%E0%A4%A', 'example.ma', null, 'page'],
  ])('%s', (address, title, host, service, kind) => {
    expect(parseLink(address)).toEqual({ title, host, service, kind })
  })

  it.each([
    ['https://gist.github.com/sara/1', 'GitHub', 'code'],
    ['https://m.youtube.com/watch?v=a1', 'YouTube', 'video'],
    ['https://youtu.be/a1', 'YouTube', 'video'],
    ['https://on.soundcloud.com/x', 'SoundCloud', 'audio'],
    ['https://drive.google.com/file/d/1/view', 'Google Drive', 'folder'],
    ['https://www.behance.net/gallery/1', 'Behance', 'design'],
    ['https://dribbble.com/shots/1', 'Dribbble', 'design'],
    ['https://atlas.github.io/zellij/', 'GitHub Pages', 'page'],
    ['https://github.com/atlas/tram/blob/main/report.PDF', 'GitHub', 'document'],
    ['https://example.ma/talk.mp3?download=1', null, 'audio'],
    ['https://example.ma/poster.webp', null, 'image'],
  ])('%s is of %s: %s', (address, service, kind) => {
    expect(parseLink(address)).toMatchObject({ service, kind })
  })

  it.each([
    ['https://github.com/atlas-lions/tram-app/tree/main', 'atlas-lions/tram-app'],
    ['https://gitlab.com/atlas/mobile/tram-app/-/tree/main/docs', 'atlas/mobile/tram-app'],
    ['https://www.figma.com/design/1AbC/Tram%20app-v2?node-id=1-2', 'Tram app v2'],
    ['https://www.figma.com/design/1AbC', 'Figma'],
    ['https://www.youtube.com/@atlas-lions', '@atlas-lions'],
    ['https://youtu.be/a1', 'YouTube'],
    ['https://drive.google.com/file/d/1AbC/view?usp=sharing', 'Google Drive'],
    ['https://docs.google.com/document/d/1AbC/edit', 'Google Docs'],
    ['https://www.dropbox.com/scl/fi/1abc/Plan-2.pdf?rlkey=x', 'Plan-2.pdf'],
    ['https://www.dropbox.com/scl/fo/1abc/AbC', 'Dropbox'],
    ['https://soundcloud.com/atlas/tram-song', 'atlas/tram-song'],
  ])('%s has the title %s', (address, title) => expect(parseLink(address)?.title).toBe(title))

  it.each(['https://notgithub.com/x', 'https://github.com.evil.example/x', 'https://com/x', 'https://google.com/x'])(
    'finds no service in %s',
    (address) => expect(parseLink(address)?.service).toBeNull(),
  )

  it.each(['', 'atlas lions', 'javascript:alert(1)', 'ftp://example.ma/x'])('returns null for %j', (address) => {
    expect(parseLink(address)).toBeNull()
  })
})
