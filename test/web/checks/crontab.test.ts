/** Pasting a crontab on a page: the checks that would be made, making them, and the lines to copy back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, rita, charlie, project, store } = world
const path = `/projects/${project.uuid}/checks/crontab/`

const paste = (crontab: string, more: Record<string, string | string[]> = {}) =>
  alice.post(path, { crontab, format: '', tz: 'Europe/Riga', ...more })

test('the form asks for a crontab, and shows the check of each job', async () => {
  assert.match((await alice.get(path)).text, /<textarea[^>]*name="crontab"/)
  const { status, text } = await paste('# daily\n0 3 * * * /bin/backup.sh "<b>"\n@reboot /bin/x\n')
  assert.equal(status, 200)
  assert.match(text, /value="2:backup"/)
  assert.match(text, /1 line without a check/)
  assert.match(text, /it runs when the machine starts/)
  assert.ok(!text.includes('"<b>"'))
  assert.equal((await store.checks.usedSlugs(project.id)).length, 0)
})

test('chosen jobs get checks, and their lines ping them; a form that is sent twice makes them once', async () => {
  const crontab = '0 3 * * * /bin/backup.sh\n*/5 * * * * /bin/sync && true # all\n1 1 * * * other\n'
  const chosen = { create: '1', line: ['1:backup', '2:sync'] }
  for (let time = 0; time < 2; time++) {
    const { status, text } = await paste(crontab, chosen)
    assert.equal(status, 200)
    assert.match(text, /2 jobs have a check/)
    assert.match(text, /\/bin\/backup\.sh; curl [^\n]*\/[0-9a-f-]{36}\/\$\? # punctual: backup\n/)
    assert.match(
      text,
      /\/bin\/sync &amp;&amp; true; curl [^\n]* # all # punctual: sync\n1 1 \* \* \* other\n/,
    )
  }
  assert.deepEqual((await store.checks.usedSlugs(project.id)).sort(), ['backup', 'sync'])
})

test('a line that keeps its check gives it its new time, and nothing else', async () => {
  const uuid = await world.addCheck('Kept one')
  const crontab = '7 7 * * * /bin/new # punctual: kept-one\n'
  assert.match((await paste(crontab)).text, /has a check already/)
  await paste(crontab, { create: '1', line: '1:kept-one' })
  const { check } = await store.checks.facts(project.id, uuid, world.clock.now())
  assert.deepEqual(
    [check.schedule, check.tz, check.name, check.graceSeconds],
    ['7 7 * * *', 'Europe/Riga', 'Kept one', 3_600],
  )
})

test('lines with users are recognized, and can be asked for', async () => {
  const system = '17 * * * * root /bin/hourly\n'
  assert.match((await paste(system)).text, /value="1:hourly"/)
  assert.match((await paste(system, { format: 'user' })).text, /value="1:root"/)
})

test('a crontab that cannot be read is refused with what is wrong, and stays in the form', async () => {
  const wrong: [crontab: string, more: Record<string, string>, expected: RegExp][] = [
    ['', {}, /Paste what/],
    ['# nothing\n', {}, /There is no job in this/],
    ['* * * * * a\n'.repeat(201), {}, /At most 200 jobs at once; this has 201/],
    [`# ${'x'.repeat(66_000)}`, {}, /At most 64 kB/],
    ['* * * * * kept', { tz: 'Mars' }, /\* kept[\s\S]*Choose a time zone/],
  ]
  for (const [crontab, more, expected] of wrong) {
    const { status, text } = await paste(crontab, { ...more, create: '1', line: '1:a' })
    assert.equal(status, 400)
    assert.match(text, expected)
  }
})

test('lines and slugs that the plan does not have make nothing', async () => {
  const before = (await store.checks.usedSlugs(project.id)).length
  const { status } = await paste('@reboot x\n* * * * * y\n', {
    create: '1',
    line: ['1:x', '2:Not a slug', '9:z', '2:<b>', '__proto__:a', ''],
  })
  assert.equal(status, 200)
  assert.equal((await store.checks.usedSlugs(project.id)).length, before)
})

test('an outsider finds no form, and a read-only member may not use it', async () => {
  assert.equal((await charlie.get(path)).status, 404)
  assert.equal((await rita.get(path)).status, 403)
  const form = { crontab: '* * * * * a', format: '', tz: 'UTC', create: '1', line: '1:a' }
  assert.equal((await charlie.post(path, form)).status, 404)
  assert.equal((await rita.post(path, form)).status, 403)
  assert.ok(!(await store.checks.usedSlugs(project.id)).includes('a'))
})
