import { createServer } from 'node:http'
import { listenLocally } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { gif, html, jpeg, pdf, png, text, zip } from '../../test/sample-files.ts'
import { photo } from '../../test/sample-pictures.ts'
import { openUploadFixture } from '../../test/upload-app.ts'

const { fixture, app } = await openUploadFixture()

type Bytes = Uint8Array<ArrayBuffer>
const append = (bytes: Bytes, more: string): Bytes =>
  Uint8Array.from(Buffer.concat([bytes, Buffer.from(more, 'latin1')]))
const SCRIPT = '<script>alert(document.cookie)</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`
const withBom = (bytes: Bytes): Bytes => Uint8Array.from(Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]))
const utf16 = (words: string): Bytes => Uint8Array.from(Buffer.from(`\ufeff${words}`, 'utf16le'))

/** Not a supported type by their first bytes, regardless of their name. */
const REFUSED: [what: string, bytes: Bytes, name: string][] = [
  ['HTML', html(), 'page.html'],
  ['HTML named as a PNG', html(), 'page.png'],
  ['HTML named as a PDF', html(), 'page.pdf'],
  ['HTML with two extensions', html(), 'page.png.html'],
  ['HTML with a NUL in its name', html(), 'page.html\0.png'],
  ['HTML after whitespace', text(`   \n${SCRIPT}`), 'a.gif'],
  ['HTML in UTF-16', utf16(SCRIPT), 'a.jpg'],
  ['HTML after a UTF-8 BOM', withBom(html()), 'a.png'],
  ['an SVG', text(SVG), 'a.svg'],
  ['an SVG named as a PNG', text(SVG), 'a.png'],
  ['an SVG with an XML declaration', text(`<?xml version="1.0"?>${SVG}`), 'a.gif'],
  ['a gzipped SVG', text('\x1f\x8b\x08\0\0\0\0\0\0\x03'), 'a.svgz'],
  ['a style sheet', text('body{background:url(javascript:alert(1))}'), 'a.css'],
  ['a script', text('alert(1)//'), 'a.js'],
  ['a script with a PHP tag', text('<?php system($_GET["c"]); ?>'), 'a.php'],
  ['a Windows executable', text('MZ\x90\0\x03\0\0\0'), 'a.exe'],
  ['a Linux executable', text('\x7fELF\x02\x01\x01\0'), 'a.zip'],
  ['a Java class', text('\xca\xfe\xba\xbe\0\0\0\x34'), 'a.jpg'],
  ['a shell script', text('#!/bin/sh\nrm -rf /'), 'a.pdf'],
  ['a macOS installer', text('xar!\0\x1c\0\x01'), 'a.pdf'],
  ['a WebP picture', text('RIFF\x24\0\0\0WEBPVP8 '), 'a.png'],
  ['a bitmap', text('BM\x36\0\0\0\0\0'), 'a.png'],
  ['a TIFF', text('II*\0\x08\0\0\0'), 'a.jpg'],
  ['an icon', text('\0\0\x01\0\x01\0\x10\x10'), 'a.png'],
  ['an AVIF', text('\0\0\0\x20ftypavif'), 'a.jpg'],
  ['a video', text('\0\0\0\x18ftypmp42'), 'a.gif'],
  ['an MP3', text('ID3\x03\0\0\0\0'), 'a.gif'],
  ['a RAR archive', text('Rar!\x1a\x07\x01\0'), 'a.zip'],
  ['a 7z archive', text("7z\xbc\xaf'\x1c\0\x04"), 'a.zip'],
  ['a gzipped tar', text('\x1f\x8b\x08\0\0\0\0\0'), 'a.zip'],
  ['an old Office file', text('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'a.pdf'],
  ['PostScript', text('%!PS-Adobe-3.0'), 'a.pdf'],
  ['RTF', text('{\\rtf1\\ansi'), 'a.pdf'],
  ['a Windows shortcut', text('L\0\0\0\x01\x14\x02\0'), 'a.png'],
  ['half a PNG signature', text('\x89PNG'), 'a.png'],
  ['a PNG signature in the wrong case', text('\x89png\r\n\x1a\n'), 'a.png'],
  ['a PNG signature with other line endings', text('\x89PNG\n\x1a\n\0'), 'a.png'],
  ['a GIF of an unknown version', text('GIF90a\0\0'), 'a.gif'],
  ['a PDF signature after a space', text(' %PDF-1.7'), 'a.pdf'],
  ['zeros', Uint8Array.from(Buffer.alloc(64)), 'a.png'],
  ['only the end record of a ZIP', text('PK\x05\x06\0\0\0\0'), 'a.zip'],
  ['a ZIP without a central directory', text('PK\x03\x04 and nothing more'), 'a.zip'],
  ['a ZIP with a path outside', zip([{ name: '../../etc/cron.d/a' }]), 'a.zip'],
  ['a ZIP with an absolute path', zip([{ name: '/etc/passwd' }]), 'a.zip'],
  ['a ZIP with a drive letter', zip([{ name: 'C:\\Windows\\a.dll' }]), 'a.zip'],
  ['a ZIP with a symbolic link', zip([{ name: 'a', mode: 0o120777 }]), 'a.zip'],
  ['a ZIP bomb', zip([{ name: 'a', claimedSize: 2 ** 31 }]), 'a.zip'],
  ['a ZIP64 bomb', zip([{ name: 'a', claimedSize: 2 ** 40 }], { zip64: true }), 'a.zip'],
]

/** A supported type by their first bytes, with other content besides. */
const STORED: [what: string, bytes: Bytes, name: string, type: string, ending: string][] = [
  ['a GIF that is also a script', text(`GIF89a=1;${SCRIPT}`), 'a.html', 'image/gif', '.gif'],
  ['a GIF followed by HTML', append(gif(), SCRIPT), 'a.gif', 'image/gif', '.gif'],
  ['a PNG followed by HTML', append(png(), SCRIPT), 'a.php', 'image/png', '.png'],
  ['a PNG followed by an SVG', append(png(), SVG), 'a.svg', 'image/png', '.png'],
  ['a JPEG followed by a script', append(jpeg(), SCRIPT), 'a.jsp', 'image/jpeg', '.jpg'],
  ['a PDF followed by HTML', append(pdf(), SCRIPT), 'a.html', 'application/pdf', '.pdf'],
  [
    'a PDF with JavaScript',
    text('%PDF-1.7\n/OpenAction << /S /JavaScript /JS (app.alert(1)) >>'),
    'a.pdf',
    'application/pdf',
    '.pdf',
  ],
  ['a PDF with a URL action', text('%PDF-1.7\n/S /URI /URI (http://127.0.0.1:9/)'), 'a.pdf', 'application/pdf', '.pdf'],
  ['a ZIP with HTML as its comment', zip([{ name: 'a' }], { comment: SCRIPT }), 'a.html', 'application/zip', '.zip'],
  ['an Office file', zip([{ name: '[Content_Types].xml' }]), 'a.docx', 'application/zip', '.zip'],
  ['a JAR', zip([{ name: 'META-INF/MANIFEST.MF' }]), 'a.jar', 'application/zip', '.zip'],
  ['a name with a path', png(), '../../../etc/passwd.png', 'image/png', '.png'],
  ['a name with quotes and line breaks', png(), 'a"\r\nset-cookie: x=1\r\n.png', 'image/png', '.png'],
  ['a name with a right-to-left override', png(), 'a\u202egnp.exe', 'image/png', '.png'],
]

describe('the corpus', () => {
  it('has at least sixty files', () => expect(REFUSED.length + STORED.length).toBeGreaterThanOrEqual(60))

  it.each(REFUSED)('is rejected and leaves nothing: %s', async (_what, bytes, name) => {
    const user = await fixture.createMember()
    const { status, body } = await app.send(user, bytes, { name, type: 'image/png' })
    expect([status, body.success ? 'STORED' : body.code]).toEqual([415, 'FILE_TYPE_REFUSED'])
    expect(await fixture.sql`select id from uploads where user_id = ${user.id}`).toHaveLength(0)
  })

  it.each(STORED)('is stored with the type of its first bytes: %s', async (_what, bytes, name, type, ending) => {
    const { secureUrl, originalName, mimeType } = await app.uploadFile(await fixture.createMember(), bytes, name)
    expect([mimeType, originalName.endsWith(ending)]).toEqual([type, true])
    expect(originalName).not.toMatch(/[\p{Cc}\u202a-\u202e/\\]/u)
    const response = await fetch(app.url + new URL(secureUrl).pathname)
    await response.body?.cancel()
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('content-disposition')).toMatch(
      type === 'application/zip' ? /^attachment;/ : /^inline;/,
    )
  })

  it('loses embedded HTML when a picture is re-encoded', async () => {
    const portrait = append(await photo(), SCRIPT)
    const { status, body } = await app.send(await fixture.createMember(), portrait, {
      name: 'me.jpg',
      endpoint: 'profile',
    })
    if (!body.success) throw new Error(`${status} ${body.message}`)
    const address = JSON.stringify(body.data).match(/https?:[^"]+\/files\/[^"]+/)?.[0] ?? ''
    const bytes = Buffer.from(await (await fetch(app.url + new URL(address).pathname)).arrayBuffer())
    expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
    expect(bytes.includes('<script>')).toBe(false)
  })
})

describe('server-side requests', () => {
  it('are not made for URLs in documents or names', async () => {
    let requestCount = 0
    const listener = createServer((_request, response) => {
      requestCount++
      response.end()
    })
    const listenerUrl = `http://127.0.0.1:${await listenLocally(listener)}/`
    const user = await fixture.createMember()
    await app.uploadFile(user, text(`%PDF-1.7\n/URI (${listenerUrl})`), `${listenerUrl}.pdf`)
    await app.uploadFile(user, append(png(), `<?xml-stylesheet href="${listenerUrl}"?>`), 'a.png')
    await app.send(user, append(await photo(), listenerUrl), { name: 'me.jpg', endpoint: 'profile' })
    listener.close()
    expect(requestCount).toBe(0)
  })
})
