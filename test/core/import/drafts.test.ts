/** Checks made of what other monitors and schedulers export, and what is said of the rest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { channelFields } from '../../../src/actions/projects/config/project-config.js'
import type { Json } from '../../../src/core/config/project-config.js'
import type { Draft } from '../../../src/core/import/drafts/draft.js'
import { readCronJobs } from '../../../src/core/import/drafts/read-cron-jobs.js'
import { readCronitor } from '../../../src/core/import/drafts/read-cronitor.js'
import { readHealthchecksApi } from '../../../src/core/import/drafts/read-healthchecks-api.js'
import { readCrontabText, readTimersText } from '../../../src/core/import/drafts/read-jobs.js'
import { readUptimeKuma } from '../../../src/core/import/drafts/read-uptime-kuma.js'
import { readDocument } from '../../_support/config/at-once.js'
import { CRON_JOBS, CRONITOR, KUMA, TIMERS } from '../../_support/import-samples.js'

const NOW = Date.UTC(2026, 0, 1)
const MACHINE = { host: 'web1', tz: 'Europe/Riga', now: NOW }

/** The checks of a draft, after seeing that they are valid as a file. */
function checksOf(draft: Draft): Record<string, Json> {
  const checks = Object.fromEntries(draft.checks)
  assert.deepEqual(readDocument({ checks }, channelFields()).problems, [])
  return checks
}

const notesOf = (draft: Draft, subject: string) =>
  draft.notes.filter(note => note.subject === subject).map(({ text }) => text)

test('jobs and heartbeats of Cronitor become checks', () => {
  const draft = readCronitor(parse(CRONITOR))
  assert.deepEqual(checksOf(draft), {
    'nightly-backup': {
      name: 'Nightly backup',
      cron: '0 3 * * *',
      timezone: 'America/New_York',
      grace: 300,
      min_duration: 5,
      max_duration: 7_200,
      failures_to_alert: 3,
      tags: ['db', 'backups'],
      desc: 'Runs on db1',
    },
    'welcome-email': { name: 'welcome-email', period: 600, grace: 60, max_duration: 86_400 },
    reports: { name: 'reports', cron: '0 6 * * *', grace: 60, max_duration: 86_400 },
    'queue-worker': { name: 'queue-worker', period: 60, grace: 60 },
    'production-deploy': { name: 'production-deploy', period: 31_536_000, grace: 60 },
  })
})

test('everything of Cronitor that is not carried over is said', () => {
  const draft = readCronitor(parse(CRONITOR))
  const backup = notesOf(draft, 'nightly-backup').join('\n')
  for (const words of [
    /metric\.error_count = 0/,
    /notify/,
    /realert_interval/,
    /platform/,
    /paused at Cronitor/,
  ])
    assert.match(backup, words)
  assert.match(notesOf(draft, 'reports').join(), /only 0 6 \* \* \* is used; not: 0 18 \* \* \*/)
  assert.match(notesOf(draft, 'queue-worker').join(), /every 30 seconds: the shortest period/)
  assert.match(notesOf(draft, 'production-deploy').join(), /no schedule/)
  assert.match(notesOf(draft, 'homepage').join(), /left out/)
  assert.match(notesOf(readCronitor('nothing'), 'the file').join(), /no monitors/)
})

test('CronJobs of Kubernetes become checks', () => {
  const draft = readCronJobs(
    parseAllDocuments(CRON_JOBS).map(document => document.toJS()),
    NOW,
  )
  assert.deepEqual(checksOf(draft), {
    'shop-nightly-report': {
      name: 'shop nightly-report',
      cron: '15 3 * * *',
      timezone: 'Europe/Berlin',
      grace: 3_800,
      max_duration: 1_800,
      tags: ['kubernetes', 'shop'],
    },
    cleanup: { name: 'cleanup', cron: '0 * * * *', grace: 1_800, tags: ['kubernetes', 'default'] },
    'shop-warm-cache': {
      name: 'shop warm-cache',
      cron: '*/5 * * * *',
      timezone: 'Asia/Tokyo',
      grace: 300,
      tags: ['kubernetes', 'shop'],
    },
    'shop-sync': {
      name: 'shop sync',
      period: 5_400,
      timezone: 'Etc/UTC',
      grace: 2_700,
      tags: ['kubernetes', 'shop'],
    },
  })
  const report = notesOf(draft, 'shop-nightly-report').join('\n')
  for (const words of [/Forbid/, /suspended/, /backoffLimit 2/]) assert.match(report, words)
  assert.match(notesOf(draft, 'cleanup').join(), /no spec\.timeZone/)
  assert.match(notesOf(draft, 'Deployment web').join(), /not a CronJob/)
  assert.match(notesOf(draft, 'shop/broken').join(), /“61 \* \* \* \*” is not understood/)
})

test('push monitors of Uptime Kuma become checks', () => {
  const draft = readUptimeKuma(KUMA)
  assert.deepEqual(checksOf(draft), {
    backup: {
      name: 'Backup',
      period: 90_000,
      grace: 2_160,
      desc: 'On the NAS',
      tags: ['env:prod', 'Nightly-jobs'],
    },
    heartbeat: { name: 'Heartbeat', period: 60, grace: 60 },
  })
  assert.equal(draft.addresses.get('backup'), '/api/push/aB3dE6gH9k')
  assert.match(notesOf(draft, 'backup').join(), /Ops Slack/)
  const heartbeat = notesOf(draft, 'heartbeat').join('\n')
  for (const words of [/interval 20 s/, /Upside down/, /resend_interval/, /paused/])
    assert.match(heartbeat, words)
  assert.match(notesOf(draft, 'Homepage').join(), /left out/)
})

test('checks of the API of Healthchecks keep all of their settings', () => {
  const check = {
    ...{ name: 'DB Backup', slug: 'db-backup', tags: 'db prod', desc: 'x', grace: 900, n_pings: 3 },
    ...{ status: 'paused', schedule: '15 5 * * *', tz: 'Europe/Riga', manual_resume: true, methods: 'POST' },
    ...{ filter_body: true, start_kw: '', success_kw: 'ok', failure_kw: 'ERROR', subject: 'ok' },
    ...{ uuid: '1', ping_url: 'https://hc-ping.com/1', channels: 'a,b', next_ping: null },
  }
  const readOnly = {
    name: '',
    slug: '',
    tags: '',
    timeout: 3_600,
    grace: 60,
    unique_key: 'f',
    newer_field: 1,
  }
  const draft = readHealthchecksApi([check, readOnly], [{ id: 'a', name: 'Ops', kind: 'slack' }])
  assert.deepEqual(checksOf(draft), {
    'db-backup': {
      ...{ name: 'DB Backup', tags: ['db', 'prod'], desc: 'x', grace: 900, cron: '15 5 * * *' },
      ...{ timezone: 'Europe/Riga', manual_resume: true, methods: 'POST', filter_body: true },
      ...{ success_kw: 'ok', failure_kw: 'ERROR' },
    },
    check: { period: 3_600, grace: 60 },
  })
  assert.equal(draft.addresses.get('db-backup'), 'https://hc-ping.com/1')
  assert.match(notesOf(draft, 'db-backup').join(), /paused.*not carried over: Ops/)
  assert.match(notesOf(draft, 'check').join(), /no slug.*read-only key.*newer_field was not/)
  assert.match(notesOf(draft, 'channel Ops').join(), /\(slack\)/)
})

test('jobs of a crontab become checks', () => {
  const text =
    'CRON_TZ=UTC\n15 3 * * * /usr/local/bin/backup.sh\n@reboot /bin/a\n0 * * * * curl https://hc-ping.com/1\n'
  const draft = readCrontabText(text, MACHINE)
  assert.deepEqual(checksOf(draft), {
    'web1-backup': { name: 'web1 backup', cron: '15 3 * * *', tags: ['cron', 'web1'] },
  })
  assert.match(notesOf(draft, 'line 3').join(), /left out/)
  assert.match(notesOf(draft, 'line 4').join(), /pings a check already/)
})

test('timers in what systemctl cat prints become checks', () => {
  const draft = readTimersText(TIMERS, MACHINE)
  assert.deepEqual(checksOf(draft), {
    'web1-backup': {
      name: 'web1 backup',
      oncalendar: 'Mon..Fri 03:00',
      timezone: 'Europe/Riga',
      grace: 7_260,
      tags: ['systemd', 'web1'],
    },
    'web1-sync': {
      name: 'web1 sync',
      period: 900,
      grace: 510,
      timezone: 'Europe/Riga',
      tags: ['systemd', 'web1'],
    },
  })
  assert.match(notesOf(draft, 'web1-sync').join(), /sync\.service is not in the text/)
  assert.match(notesOf(draft, 'boot.timer').join(), /left out/)
  assert.match(notesOf(readTimersText('', MACHINE), 'the text').join(), /no timer/)
})

test('names that make one key get keys of their own, and values that no check can have are said', () => {
  const draft = readCronitor({
    jobs: { a: { name: 'x'.repeat(101), timezone: 'Mars', schedule: '1 1 * * *' }, A: {} },
  })
  assert.deepEqual(Object.keys(checksOf(draft)), ['a', 'a-2'])
  assert.match(notesOf(draft, 'a').join(), /name "x+" was left out.*timezone "Mars" was left out/)
})
