import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainLines } from '../../../../src/core/text/output/plain-output.js'
import { terminalLines } from '../../../../src/core/text/output/terminal-lines.js'

const ESC = '\x1b'
const styled = (text: string) =>
  [...terminalLines(text)].map(line =>
    line.map(({ text, style }) => (style === '' ? text : `<${style}>${text}`)),
  )

test('colours of 16, 256 and 16 million become the colours that pages have', () => {
  const cases: [string, string][] = [
    ['31', 'o-red'],
    ['92', 'o-green'],
    ['1;33', 'o-yellow o-bold'],
    ['90', 'o-grey'],
    ['37', ''],
    ['38;5;196', 'o-red'],
    ['38;5;33', 'o-blue'],
    ['38;5;208', 'o-yellow'],
    ['38;5;240', 'o-grey'],
    ['38;5;255', ''],
    ['38;2;255;0;255', 'o-magenta'],
    ['38:2::0:200:200', 'o-cyan'],
    ['48;2;0;160;0;4', 'o-underline o-on-green'],
    ['31;44;39', 'o-on-blue'],
    ['38;5', ''],
    ['1;3;9;22', 'o-italic o-strike'],
    ['31;0', ''],
    ['', ''],
  ]
  for (const [codes, style] of cases) {
    assert.deepEqual(styled(`${ESC}[${codes}mx`), [[style === '' ? 'x' : `<${style}>x`]], codes)
  }
})

test('a style goes on over lines until it ends', () => {
  assert.deepEqual(styled(`a${ESC}[31mb\nc${ESC}[md`), [
    ['a', '<o-red>b'],
    ['<o-red>c', 'd'],
  ])
})

test('progress that overwrites its line shows what a terminal shows in the end', () => {
  const cases: [string, string[]][] = [
    ['10 %\r20 %\r100 %\ndone', ['100 %', 'done']],
    ['100 %\r50', ['500 %']],
    ['one\r\ntwo\r\r\n', ['one', 'two']],
    [`loading${ESC}[2K\rdone`, ['done']],
    [`loading\rdone${ESC}[K`, ['done']],
    [`loading${ESC}[1Gdone${ESC}[0K!`, ['done!']],
    ['abc\b\bX', ['aXc']],
    [`abc${ESC}[2DX`, ['aXc']],
    ['\b\bx', ['x']],
    ['', ['']],
    ['\n', ['']],
    ['a\n\nb\n', ['a', '', 'b']],
  ]
  for (const [text, lines] of cases) assert.deepEqual(plainLines(text), lines, JSON.stringify(text))
})

test('other control sequences are left out, and control characters are pictures', () => {
  assert.deepEqual(plainLines(`${ESC}]0;title\x07a${ESC}[5Ab${ESC}(Bc${ESC}`), ['abc'])
  assert.deepEqual(plainLines(`${ESC}]8;;https://example.org${ESC}\\link${ESC}]8;;${ESC}\\`), ['link'])
  assert.deepEqual(plainLines('bell\x07 tab\t del\x7f'), ['bell␇ tab\t del␡'])
  assert.deepEqual(plainLines(`${ESC}]never ends`), ['never ends'])
})

/** A terminal of one line, as simple as can be. */
function naive(text: string): string {
  const cells: string[] = []
  let column = 0
  for (const char of text) {
    if (char === '\r') column = 0
    else if (char === '\b') column = Math.max(0, column - 1)
    else cells[column++] = char
  }
  return cells.join('')
}

test('any mix of text, carriage returns and backspaces is folded as on a terminal', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: random(30) }, () => 'ab🙂\r\b'.at(random(5))!)
      .join('')
      .replace(/[\ud800-\udfff]/g, 'é')
    assert.deepEqual(plainLines(text), [naive(text)], JSON.stringify(text))
  }
})
