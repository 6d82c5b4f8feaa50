/** Configuration that pings a check from what starts its job, with the schedule and the zone of the check. */
import type { Timing } from '../../core/checks/check.js'
import { calendarOfCron } from '../../core/schedule/calendar-of-cron.js'
import { parseSchedule } from '../../core/schedule/index.js'
import { scheduleWords } from '../components/checks/schedule-words.js'
import { CURL, type Snippet } from './code.js'

/** The snippets for what runs jobs, with the ping address `url`, and the address of the script that runs commands. */
export function runnerSnippets({ url, script }: { url: string; script: string }, check: Timing): Snippet[] {
  return [
    { label: 'Crontab', text: crontab(url, check) },
    { label: 'Any command', text: wrapped(url, script) },
    { label: 'systemd', text: systemd(url, check) },
    { label: 'Docker', text: docker(url) },
    { label: 'Kubernetes', text: kubernetes(url, check) },
    { label: 'GitHub Actions', text: githubActions(url, check) },
    { label: 'Windows', text: windows(url, check) },
  ]
}

function crontab(url: string, timing: Timing): string {
  return [
    ...zoneNotes(timing),
    '# The ping is sent only if the job succeeds; && joins the two.',
    `${cronOf(timing)} /path/to/job && ${CURL} ${url}`,
  ].join('\n')
}

function wrapped(url: string, script: string): string {
  return `# Once on each machine: one shell script, which needs curl or wget.
curl -fsS -o /usr/local/bin/punctual-exec ${script}
chmod +x /usr/local/bin/punctual-exec

# Tells the start, runs the job, and sends its exit status with the end of its
# output. What cannot be sent is kept, and sent later with its time.
punctual-exec --url ${url} -- /path/to/job`
}

function zoneNotes({ kind, schedule, tz }: Timing): string[] {
  if (kind === 'simple') return []
  if (kind === 'oncalendar') return [`# Put the times here of: ${schedule.trim().replaceAll('\n', '; ')}`]
  return [
    `# The schedule is in ${tz}. If the zone of the machine is another,`,
    `# put CRON_TZ=${tz} above it. Debian's cron does not know that line.`,
  ]
}

/** The check's own cron expression, or one that matches its period. Source: docs/behaviour.md, section 9.4. */
export function cronOf({ kind, schedule, periodSeconds }: Timing): string {
  if (kind === 'cron') return schedule
  const minutes = periodSeconds / 60
  if (kind === 'simple' && minutes === 1) return '* * * * *'
  if (kind === 'simple' && minutes < 60 && 60 % minutes === 0) return `*/${minutes} * * * *`
  const hours = minutes / 60
  if (kind === 'simple' && hours === 1) return '0 * * * *'
  if (kind === 'simple' && hours < 24 && 24 % hours === 0) return `0 */${hours} * * *`
  if (kind === 'simple' && hours === 168) return '0 3 * * 1'
  return '0 3 * * *'
}

function systemd(url: string, timing: Timing): string {
  return `# /etc/systemd/system/job.service
[Unit]
Description=The job

[Service]
Type=oneshot
ExecStartPre=-/usr/bin/${CURL} ${url}/start
ExecStart=/path/to/job
ExecStopPost=-/usr/bin/${CURL} ${url}/\${EXIT_STATUS}

# /etc/systemd/system/job.timer
[Timer]
${calendarOf(timing)
  .map(line => `OnCalendar=${line}`)
  .join('\n')}

[Install]
WantedBy=timers.target`
}

/** The schedule as OnCalendar lines with their zones. A period has none: it does not say at which time it begins. */
function calendarOf(timing: Timing): string[] {
  const { kind, schedule, tz } = timing
  if (kind === 'simple') return calendarOfCron(cronOf(timing))!
  if (kind === 'cron') return (calendarOfCron(schedule) ?? ['*-*-* 03:00:00']).map(line => `${line} ${tz}`)
  return schedule
    .trim()
    .split('\n')
    .map(line => (parseSchedule(line).rules[0]!.zone === null ? `${line.trim()} ${tz}` : line.trim()))
}

function docker(url: string): string {
  return `# Pings after the container ends, with its exit status.
docker run --rm your/image
${CURL} "${url}/$?"`
}

function kubernetes(url: string, timing: Timing): string {
  return `apiVersion: batch/v1
kind: CronJob
metadata:
  name: job
spec:
  schedule: "${cronOf(timing)}"${timing.kind === 'simple' ? '' : `\n  timeZone: "${timing.tz}"`}
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: job
              image: your/image
              command: ["/bin/sh", "-c"]
              args:
                - |
                  /path/to/job
                  status=$?
                  wget -q -T 10 -O /dev/null "${url}/$status"
                  exit $status`
}

function githubActions(url: string, timing: Timing): string {
  return `name: job
on:
  schedule:
    - cron: "${cronOf(timing)}"${timing.kind === 'simple' ? '' : `\n      timezone: "${timing.tz}"`}
  workflow_dispatch:
jobs:
  job:
    runs-on: ubuntu-latest
    steps:
      - run: ${CURL} ${url}/start
      - run: /path/to/job
      - if: success()
        run: ${CURL} ${url}
      - if: failure() || cancelled()
        run: ${CURL} ${url}/fail`
}

function windows(url: string, timing: Timing): string {
  return `# Save as C:\\jobs\\ping.ps1. The action in Task Scheduler:
#   powershell.exe -NoProfile -File C:\\jobs\\ping.ps1
# Its trigger: ${scheduleWords(timing, '')}
$url = '${url}'

function Send-Ping($suffix = '', $body = '') {
    try { Invoke-RestMethod -Method Post -Uri "$url$suffix" -Body $body -TimeoutSec 10 | Out-Null }
    catch { Write-Warning "ping failed: $_" }
}

Send-Ping '/start'
try { & C:\\path\\to\\job.ps1; Send-Ping }
catch { Send-Ping '/fail' "$_"; throw }`
}
