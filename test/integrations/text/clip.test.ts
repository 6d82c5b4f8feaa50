import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningWithin, clip, clipMiddle, endWithin } from '../../../src/integrations/text/clip.js'
import { codeBlock, escapeMarkdown } from '../../../src/integrations/text/markdown.js'

const FIRE = '\u{1f525}'

test('a text that is too long ends in an ellipsis, and no character is split', () => {
  assert.equal(clip('abcdef', 6), 'abcdef')
  assert.equal(clip('abcdefg', 6), 'abcde…')
  assert.equal(clip(FIRE.repeat(4), 6), `${FIRE}${FIRE}…`)
})

test('a text cut in its middle keeps its beginning and its end', () => {
  assert.equal(clipMiddle('abcdef', 6), 'abcdef')
  assert.equal(clipMiddle('The channel with a long name was disabled', 30), 'The channel with a …s disabled')
  assert.match(clipMiddle(FIRE.repeat(20), 11), /^(?:\u{1f525})+…(?:\u{1f525})+$/u)
})

test('the longest end is found whose rendering fits', () => {
  const fourfold = (text: string) => `[${text.replaceAll('<', '&lt;')}]`
  assert.equal(endWithin('abc', 5, fourfold), 'abc')
  assert.equal(endWithin('abcd', 5, fourfold), 'bcd')
  assert.equal(endWithin('<<<d', 11, fourfold), '<<d')
  assert.equal(endWithin('abc', 2, fourfold), '')
  assert.equal(endWithin('abc', -1, fourfold), '')
  assert.equal(endWithin(`${FIRE}${FIRE}`, 5, fourfold), FIRE)
})

test('the longest beginning is found whose rendering fits', () => {
  const fourfold = (text: string) => text.replaceAll('<', '&lt;')
  assert.equal(beginningWithin('abc', 3, fourfold), 'abc')
  assert.equal(beginningWithin('abcd', 3, fourfold), 'ab…')
  assert.equal(beginningWithin('a<<<', 7, fourfold), 'a<…')
  assert.equal(beginningWithin('<', 0, fourfold), '')
})

test('Markdown and mentions in a text are escaped', () => {
  assert.equal(
    escapeMarkdown('*a* _b_ [c](d) <e> #1 @all'),
    '\\*a\\* \\_b\\_ \\[c\\](d) \\<e\\> \\#1 @\u200ball',
  )
})

test('the fences of a code block are longer than any inside it', () => {
  assert.equal(codeBlock('a'), '```\na\n```')
  assert.equal(codeBlock('a\n````\nb'), '`````\na\n````\nb\n`````')
})
