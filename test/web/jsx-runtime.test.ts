/** The runtime that turns JSX into HTML: what it escapes, and that it writes what Hono's writes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from 'hono/html'
import { jsx as honoJsx } from 'hono/jsx'
import { Fragment, jsx } from '../../src/views/jsx-runtime.js'

const EVIL = `<b title='x'>"&"</b>`

test('text and attributes are escaped, and only what is known to be HTML is not', () => {
  assert.equal(
    String(jsx('p', { title: EVIL, children: [EVIL, raw('<br/>'), jsx('i', { children: EVIL })] })),
    `<p title="${escaped(EVIL)}">${escaped(EVIL)}<br/><i>${escaped(EVIL)}</i></p>`,
  )
  const pretended = JSON.parse(`{"isEscaped":true,"html":"<script>"}`)
  assert.equal(String(jsx('p', { children: pretended })), '<p></p>')
  assert.equal(String(jsx('p', { title: jsx('b', {}) })), '<p title="&lt;b&gt;&lt;/b&gt;"></p>')
  assert.throws(() => jsx('p', { 'a"><script': 'x' }), TypeError)
  assert.throws(() => jsx('p', { children: () => 'x' }), TypeError)
})

test('it writes what Hono’s runtime writes', () => {
  const Named = ({ children, name }: { children?: unknown; name: string }) => [name, children, null] as never
  const build = (make: (tag: never, props: never) => unknown) => {
    const el = (tag: unknown, props: object) => make(tag as never, props as never)
    return el('div', {
      class: 'a',
      hidden: false,
      'aria-hidden': true,
      'data-part': true,
      tabindex: -1,
      title: undefined,
      children: [
        el('input', { disabled: true, value: '' }),
        el('svg', { viewBox: '0 0 1 1', children: el('title', { children: 'A & B' }) }),
        el(Named, { name: '<x>', children: [0, '', true, null, ['nested', el('b', {})]] }),
        el('br', {}),
      ],
    })
  }
  const withHono = build((tag, props: { children?: unknown }) => {
    const { children, ...rest } = props
    return honoJsx(tag, rest, ...((children === undefined ? [] : [children].flat()) as never[]))
  })
  assert.equal(String(build(jsx as never)), String(withHono))
  assert.equal(String(Fragment({ children: ['a', 1, false] })), 'a1')
})

function escaped(text: string): string {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&quot;' }
  return text.replace(/[&<>'"]/g, one => entities[one as '&'])
}
