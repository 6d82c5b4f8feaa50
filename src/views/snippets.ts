/** Code that pings a check, in the languages in which jobs are written. */
import type { Timing } from '../core/checks/check.js'

export interface Snippet {
  label: string
  text: string
}

/** The snippets for a check with the ping address `url`. */
export function snippets(url: string, timing: Timing): Snippet[] {
  return [
    { label: 'Crontab', text: crontab(url, timing) },
    { label: 'Bash', text: bash(url) },
    { label: 'Python', text: python(url) },
    { label: 'Node.js', text: node(url) },
    { label: 'Go', text: go(url) },
    { label: 'PHP', text: php(url) },
    { label: 'Ruby', text: ruby(url) },
    { label: 'C#', text: csharp(url) },
    { label: 'Browser', text: browser(url) },
    { label: 'PowerShell', text: powershell(url) },
    { label: 'systemd', text: systemd(url, timing) },
    { label: 'Docker', text: docker(url) },
    { label: 'Kubernetes', text: kubernetes(url, timing) },
  ]
}

const CURL = 'curl -fsS -m 10 --retry 5 -o /dev/null'

function crontab(url: string, timing: Timing): string {
  return `# The ping is sent only if the job succeeds; && joins the two.
${cronOf(timing)} /path/to/job && ${CURL} ${url}`
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

function bash(url: string): string {
  return `#!/bin/bash
url='${url}'

# Tells the start, runs the job, and sends its exit status with the end of its output.
${CURL} "$url/start"
output=$(/path/to/job 2>&1)
status=$?
printf '%s' "$output" | tail -c 10000 | ${CURL} --data-binary @- "$url/$status"
exit $status`
}

function python(url: string): string {
  return `import urllib.request

def ping(suffix="", body=b""):
    for attempt in range(3):
        try:
            urllib.request.urlopen("${url}" + suffix, data=body, timeout=10)
            return
        except OSError as error:
            print("ping failed:", error)

ping("/start")
try:
    run_the_job()
except Exception as error:
    ping("/fail", str(error).encode())
    raise
ping()`
}

function node(url: string): string {
  return `const url = '${url}'

async function ping(suffix = '', body = '') {
  try {
    await fetch(url + suffix, { method: 'POST', body, signal: AbortSignal.timeout(10_000) })
  } catch (error) {
    console.error('ping failed:', error.message)
  }
}

await ping('/start')
try {
  await runTheJob()
  await ping()
} catch (error) {
  await ping('/fail', String(error.stack))
  throw error
}`
}

function go(url: string): string {
  return `package main

import (
	"log"
	"net/http"
	"strings"
	"time"
)

var client = &http.Client{Timeout: 10 * time.Second}

func ping(suffix, body string) {
	response, err := client.Post("${url}"+suffix, "text/plain", strings.NewReader(body))
	if err != nil {
		log.Println("ping failed:", err)
		return
	}
	response.Body.Close()
}

func main() {
	ping("/start", "")
	if err := runTheJob(); err != nil {
		ping("/fail", err.Error())
		log.Fatal(err)
	}
	ping("", "")
}`
}

function php(url: string): string {
  return `<?php
function ping(string $suffix = '', string $body = ''): void {
    $context = stream_context_create(['http' => [
        'method' => 'POST', 'content' => $body, 'timeout' => 10,
    ]]);
    @file_get_contents('${url}' . $suffix, false, $context);
}

ping('/start');
try {
    run_the_job();
    ping();
} catch (Throwable $error) {
    ping('/fail', $error->getMessage());
    throw $error;
}`
}

function ruby(url: string): string {
  return `require "net/http"

def ping(suffix = "", body = "")
  Net::HTTP.post(URI("${url}#{suffix}"), body)
rescue StandardError => error
  warn "ping failed: #{error.message}"
end

ping "/start"
begin
  run_the_job
rescue StandardError => error
  ping "/fail", error.full_message
  raise
end
ping`
}

function csharp(url: string): string {
  return `using var http = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

try
{
    await http.GetAsync("${url}/start");
    await RunTheJob();
    await http.GetAsync("${url}");
}
catch (Exception error)
{
    await http.PostAsync("${url}/fail", new StringContent(error.ToString()));
    throw;
}`
}

function browser(url: string): string {
  return `// The answer may be read by any site.
await fetch('${url}', { method: 'POST', body: 'what there is to say' })`
}

function powershell(url: string): string {
  return `$url = '${url}'

function Send-Ping($suffix = '', $body = '') {
    try { Invoke-RestMethod -Method Post -Uri "$url$suffix" -Body $body -TimeoutSec 10 | Out-Null }
    catch { Write-Warning "ping failed: $_" }
}

Send-Ping '/start'
try { & C:\\path\\to\\job.ps1; Send-Ping }
catch { Send-Ping '/fail' "$_"; throw }`
}

function systemd(url: string, { kind, schedule }: Timing): string {
  const calendar = kind === 'oncalendar' ? schedule.trim().split('\n') : ['*-*-* 03:00:00']
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
${calendar.map(line => `OnCalendar=${line}`).join('\n')}

[Install]
WantedBy=timers.target`
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
  schedule: "${cronOf(timing)}"
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
