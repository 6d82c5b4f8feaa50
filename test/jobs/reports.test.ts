/**
 * Reports and reminders, from what checks did to the mailbox. Real store, real job, real mail; the clock is the
 * test's.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueReports } from '../../src/actions/reports/queue-reports.js'
import { unsubscribeReportsPath } from '../../src/actions/reports/unsubscribe-reports.js'
import { nothingAside } from '../../src/storage/set-aside.js'
import { claimMails } from '../_support/claim-mails.js'
import { eventually } from '../_support/eventually.js'
import { openMailServer } from '../_support/servers/mail-server.js'
import { OFFICE_SECRET, ReportHarness } from '../_support/worlds/report-harness.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const daily = { reports: 'daily', nagSeconds: 0 } as const
const hourly = { reports: 'off', nagSeconds: 3_600 } as const

test('a daily report has each check’s runs, failures and downtime', async t => {
  await ReportHarness.run(t, daily, async office => {
    const job = office.start()
    await office.settled(job)
    assert.deepEqual(office.subjects, [], 'a report that was never planned is not overdue')
    office.go('03-05T02:00')
    for (let run = 0; run < 3; run++) await office.ping('backup')
    await office.ping('sync')
    await office.ping('idle', 'log')
    office.go('03-05T03:00')
    await office.ping('backup', 'fail')
    office.go('03-05T05:30')
    await office.ping('backup')
    await office.ping('quiet')
    office.go('03-06T00:10')
    await office.ping('backup')
    await office.ping('sync')
    office.go('03-06T11:00')
    await office.settled(job)
    assert.deepEqual(office.subjects, ['Daily Report: 5 Mar 2026'])
    const [mail] = office.server.mails
    assert.deepEqual(mail!.envelope.to, ['alice@example.org'])
    const text = mail!.text.replaceAll('\r\n', '\n')
    assert.match(text, /\n4 checks, 1 downtime, 2 hours, 30 minutes\.\n/)
    assert.match(text, /\n- backup: 88\.63 % up, 5 runs, 1 failed; 1 downtime, 2 hours, 30 minutes\n/)
    assert.match(text, /\n- sync: 100 % up, 1 run, 0 failed\n/)
    assert.match(text, /\n- idle: no data yet, 0 runs, 0 failed\n/)
    assert.doesNotMatch(text, /\+/)
    assert.match(mail!.html, /<td[^>]*>88\.63 %<\/td>/)
    assert.match(mail!.html, /<td[^>]*>no data yet<\/td>/)
    const path = unsubscribeReportsPath(OFFICE_SECRET, {
      userUuid: office.user.uuid,
      email: 'alice@example.org',
    })
    assert.equal(mail!.headers['list-unsubscribe'], `<http://localhost:8000${path}>`)
    assert.equal(mail!.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
    await office.settled(job)
    assert.equal(office.subjects.length, 1)
    office.go('03-07T11:00')
    await office.settled(job)
    assert.equal(office.subjects[1], 'Daily Report: 6 Mar 2026')
    const next = office.server.mails[1]!.text.replaceAll('\r\n', '\n')
    assert.match(next, / Previous period, 5 Mar 2026: 1 downtime, 2 hours, 30 minutes\.\n/)
    assert.match(next, /\n- backup \(DOWN now\): 100 % up, 1 run, 0 failed; before: 88\.63 % up\n/)
  })
})

test('a report says which integrations deliver nothing', async t => {
  await ReportHarness.run(t, daily, async office => {
    const { scene } = office
    const { store } = scene
    office.go('03-05T02:00')
    await office.ping('backup')
    const job = office.start()
    await office.settled(job)
    const channels = [
      await scene.addChannel('Gone'),
      await scene.addChannel('Away'),
      await scene.addChannel('Full'),
      await scene.addChannel('Fine'),
      await scene.addChannel('Off'),
    ]
    await store.channels.setEnabled(channels[4]!.id, false, scene.now)
    await office.ping('backup', 'fail')
    const notice = { type: 'notice' as const, title: '', text: '', url: '' }
    const failures: Record<string, object> = {
      Gone: { disabled: notice },
      Away: { unreachable: notice },
      Full: { unreachable: notice, answered: true },
    }
    for (let hour = 0; hour < 30; hour++) {
      for (const message of await scene.claim()) {
        const failure = failures[message.channel.name]
        const failed = { type: 'retry' as const, error: 'no', retryAt: scene.now + HOUR, ...failure }
        await scene.settle(message, failure ? failed : 'sent')
      }
      office.go(HOUR)
    }
    office.go('03-06T11:00')
    await office.settled(job)
    const { text, html } = office.server.mails.at(-1)!
    const lines = [
      'The Webhook integration “Gone” was disabled.',
      'The Webhook integration “Away” cannot be reached.',
      'The Webhook integration “Full” refuses alerts.',
    ]
    assert.ok(text.replaceAll('\r\n', '\n').includes(`\n${lines.join('\n')}\n`), text)
    for (const line of lines) assert.ok(html.includes(line), html)
    assert.doesNotMatch(text, /“(Fine|Off)”/)
  })
})

test('a report is sent between 9 and 11 by the person’s clock, also on clock changes', async t => {
  const body = async (office: ReportHarness) => {
    office.go('03-27T12:00')
    await office.ping('backup')
    const job = office.start()
    await office.settled(job)
    const due = async () => (await office.scene.store.reports.nextWork())!
    for (const [day, utcHour] of [
      ['28', 7],
      ['29', 6],
      ['30', 6],
    ] as const) {
      const at = new Date(await due())
      assert.equal(at.toISOString().slice(8, 10), day)
      assert.ok(at.getUTCHours() === utcHour || at.getUTCHours() === utcHour + 1, at.toISOString())
      office.go(at.getTime() - office.clock.now())
      await office.settled(job)
    }
    assert.deepEqual(office.subjects, [
      'Daily Report: 27 Mar 2026',
      'Daily Report: 28 Mar 2026',
      'Daily Report: 29 Mar 2026',
    ])
  }
  await ReportHarness.run(t, daily, body, { timezone: 'Europe/Riga' })
})

test('one of several processes makes a report, and a restart makes no second one', async t => {
  await ReportHarness.run(t, daily, async office => {
    await office.ping('backup')
    const first = [office.start('a'), office.start('b'), office.start('c')]
    await office.settled(...first)
    office.go('03-05T11:00')
    await office.settled(...first)
    for (const job of first) await job.stop()
    const again = office.start('d')
    await office.settled(again)
    assert.equal(office.subjects.length, 1)
    assert.deepEqual(office.outcomes, ['report sent'])
  })
})

test('an e-mail of a process that died is sent by the next one with the same Message-ID', async t => {
  await ReportHarness.run(t, daily, async office => {
    const { store } = office.scene
    await office.ping('backup')
    const job = office.start('planner')
    await office.settled(job)
    await job.stop()
    office.go('03-05T11:00')
    const [addressee] = await store.reports.dueReports(office.clock.now(), 10)
    const mail = { kind: 'report' as const, subject: 'Once', text: 'x', html: 'x', unsubscribeUrl: '' }
    const planned = {
      addressee: addressee!,
      next: office.clock.now() + DAY,
      mail,
      now: office.clock.now(),
    }
    assert.deepEqual(
      [await store.reports.queueReport(planned), await store.reports.queueReport(planned)],
      [true, false],
    )
    const lease = { now: office.clock.now(), leaseUntil: office.clock.now() + 120_000 }
    const [claimed] = await claimMails(store, { worker: 'dead', ...lease })
    const again = { worker: 'next', ...lease, ids: [claimed!.id] }
    assert.deepEqual(await store.people.claimMails(again), [], 'it may still be under way')
    assert.deepEqual(await claimMails(store, { worker: 'next', ...lease }), [], 'so it is not found')
    office.go(121_000)
    await office.settled(office.start('next'))
    assert.deepEqual(office.subjects, ['Once'])
    assert.match(office.server.mails[0]!.headers['message-id']!, new RegExp(claimed!.uuid))
    const late = { worker: 'dead', uuid: claimed!.uuid, outcome: 'sent' as const, now: office.clock.now() }
    assert.equal(await store.people.settleMail(late), false)
  })
})

test('a shutdown leaves reports that are not composed yet to the next process', async t => {
  await ReportHarness.run(t, daily, async office => {
    await office.ping('backup')
    const job = office.start()
    await office.settled(job)
    await job.stop()
    office.go('03-05T11:00')
    const { store } = office.scene
    const now = office.clock.now()
    const site = { name: 'Punctual', root: 'http://localhost:8000' }
    const aside = nothingAside('user')
    const deps = { store, site, secretKey: OFFICE_SECRET, aside, onError: assert.ifError }
    await queueReports(deps, now, AbortSignal.abort())
    assert.equal((await store.reports.dueReports(now, 10)).length, 1)
    await office.settled(office.start('next'))
    assert.deepEqual(office.subjects, ['Daily Report: 4 Mar 2026'])
  })
})

test('no report is lost while the mail server is down', async t => {
  let away = true
  const server = await openMailServer(t, {
    onMailFrom: (_address, _session, callback) =>
      callback(away ? Object.assign(new Error('later'), { responseCode: 451 }) : null),
  })
  const body = async (office: ReportHarness) => {
    await office.ping('backup')
    const job = office.start()
    await office.settled(job)
    office.go('03-05T11:00')
    await eventually(() => office.outcomes.length > 0)
    assert.deepEqual(office.outcomes, ['report retry'])
    away = false
    office.go(5_000)
    await office.settled(job)
    assert.deepEqual(office.subjects, ['Daily Report: 4 Mar 2026'])
  }
  await ReportHarness.run(t, daily, body, { server })
})

test('a waiting report or reminder is made anew without a project that the person has left', async t => {
  let away = true
  const server = await openMailServer(t, {
    onMailFrom: (_address, _session, callback) =>
      callback(away ? Object.assign(new Error('later'), { responseCode: 451 }) : null),
  })
  const body = async (office: ReportHarness) => {
    const { store } = office.scene
    const ownerId = null
    const { id: left } = await store.projects.create({ name: 'Beta', ownerId, pingKey: 'beta', now: 1 })
    await store.projects.putMember({ projectId: left, userId: office.user.id, role: 'readonly', now: 1 })
    await office.ping('kept', 'fail')
    const target = { pingKey: 'beta', slug: 'secret', create: true }
    await office.scene.ping('secret', 'fail', { target })
    const job = office.start()
    office.go(MINUTE)
    await eventually(async () => {
      job.wake()
      return (await store.reports.dueNags(office.clock.now() + DAY, 1)).length > 0
    })
    await office.settled(job)
    office.go('03-05T11:00')
    await eventually(() => office.outcomes.includes('report retry') && office.outcomes.includes('nag retry'))
    await store.projects.removeMember(left, office.user.uuid, office.clock.now())
    away = false
    office.go(5_000)
    await office.settled(job)
    assert.deepEqual(office.subjects.sort(), ['Daily Report: 4 Mar 2026', 'Reminder: 1 check still down'])
    for (const { text } of office.server.mails) {
      assert.match(text, /kept/)
      assert.doesNotMatch(text, /secret/)
    }
  }
  await ReportHarness.run(t, { reports: 'daily', nagSeconds: 3_600 }, body, { server })
})

test('a person whose checks are not pinged is sent no report', async t => {
  await ReportHarness.run(t, daily, async office => {
    await office.ping('backup')
    const job = office.start()
    await office.settled(job)
    office.go(181 * DAY)
    await office.settled(job)
    assert.deepEqual(office.subjects, [])
  })
})

test('reminders are sent at the interval while a check is down, then end', async t => {
  await ReportHarness.run(t, hourly, async office => {
    const job = office.start()
    await office.ping('backup', 'fail')
    await office.ping('sync')
    office.go(MINUTE)
    await office.settled(job)
    await planned(office, job)
    assert.deepEqual(office.subjects, [])
    office.go(HOUR)
    await office.settled(job)
    // Before the instant at which the job wakes up by itself: it would not wait for the ping.
    await office.ping('sync', 'fail')
    office.go(HOUR)
    await office.settled(job)
    assert.deepEqual(office.subjects, ['Reminder: 1 check still down', 'Reminder: 2 checks still down'])
    const { text } = office.server.mails[0]!
    assert.match(text, /- backup: down for 1 hour, 1 minute, last ping: 1 hour, 1 minute ago/)
    await office.ping('backup')
    await office.ping('sync')
    office.go(MINUTE)
    await planned(office, job, null)
    office.go(3 * HOUR)
    await office.settled(job)
    assert.equal(office.subjects.length, 2)
  })
})

test('acknowledged and silenced checks are left out of reminders until they are not any more', async t => {
  await ReportHarness.run(t, hourly, async office => {
    const { store, projectId } = office.scene
    const job = office.start()
    await office.ping('backup', 'fail')
    await office.ping('sync', 'fail')
    office.go(MINUTE)
    await planned(office, job)
    const now = office.clock.now()
    const { incidents } = await store.incidents.list(projectId, {}, { after: null, limit: 10, now })
    const backup = incidents.find(({ check }) => check.name === 'backup')!
    const ack = { by: 'bob', note: '', until: now + 2 * HOUR + 30 * MINUTE, now }
    await store.incidents.acknowledge(projectId, [backup.id], ack)
    office.go(HOUR)
    await office.settled(job)
    assert.deepEqual(office.subjects, ['Reminder: 1 check still down'])
    assert.match(office.server.mails[0]!.text, /- sync: down/)
    await store.silences.create(projectId, {
      mode: 'hold',
      scope: { project: true },
      channels: null,
      times: { kind: 'once', from: null, to: office.clock.now() + HOUR + 30 * MINUTE },
      reason: 'Backup window',
      createdBy: 'bob',
      now: office.clock.now(),
    })
    office.go(HOUR)
    await office.settled(job)
    assert.equal(office.subjects.length, 1)
    office.go(HOUR)
    await office.settled(job)
    assert.deepEqual(office.subjects.slice(1), ['Reminder: 2 checks still down'])
  })
})

/** Until it is known whether there is to be a reminder. */
async function planned(office: ReportHarness, job: { wake(): void }, expected?: null): Promise<void> {
  await eventually(async () => {
    job.wake()
    const next = await office.scene.store.reports.nextWork()
    return expected === null ? next === null : next !== null
  })
}

test('a person who unsubscribes is sent nothing more, not even queued e-mails', async t => {
  await ReportHarness.run(t, { reports: 'daily', nagSeconds: 3_600 }, async office => {
    const { store } = office.scene
    await office.ping('backup', 'fail')
    const job = office.start()
    await office.settled(job)
    await job.stop()
    office.go('03-05T11:00')
    for (const due of ['dueReports', 'dueNags'] as const) {
      for (const addressee of await store.reports[due](office.clock.now(), 10)) {
        const kind = due === 'dueNags' ? ('nag' as const) : ('report' as const)
        const mail = { kind, subject: kind, text: 'x', html: 'x', unsubscribeUrl: '' }
        await store.reports[due === 'dueNags' ? 'queueNag' : 'queueReport']({
          addressee,
          next: null,
          mail,
          now: office.clock.now(),
        })
      }
    }
    await store.reports.stopReports({ userUuid: office.user.uuid, email: 'alice@example.org' })
    const again = office.start('again')
    await office.settled(again)
    assert.deepEqual(office.subjects, [])
    assert.deepEqual(await store.reports.wishes(office.user.id), { reports: 'off', nagSeconds: 0 })
  })
})
