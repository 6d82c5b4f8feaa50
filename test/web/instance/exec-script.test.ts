/** The script for machines with jobs, as an installation serves it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()

test('everybody gets the script, with the address of the installation in it', async () => {
  const { status, headers, text } = await world.get('/exec.sh')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/x-shellscript; charset=utf-8')
  assert.match(text, /^#!\/bin\/sh\n/)
  assert.ok(text.includes(`px_site=\${PUNCTUAL_URL:-'${world.config.SITE_ROOT}'}`))
  assert.doesNotMatch(text, /SITE_ROOT/)
})
