/** Code that pings a check, in the languages in which jobs are written. */

export interface Snippet {
  label: string
  text: string
}

/** The snippets for programs that ping the address `url` themselves. */
export function codeSnippets(url: string): Snippet[] {
  return [
    { label: 'Bash', text: bash(url) },
    { label: 'Python', text: python(url) },
    { label: 'Node.js', text: node(url) },
    { label: 'Go', text: go(url) },
    { label: 'PHP', text: php(url) },
    { label: 'Ruby', text: ruby(url) },
    { label: 'C#', text: csharp(url) },
    { label: 'Browser', text: browser(url) },
  ]
}

/** curl as jobs should call it: quietly, with a time limit, and again if the network fails. */
export const CURL = 'curl -fsS -m 10 --retry 5 -o /dev/null'

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
