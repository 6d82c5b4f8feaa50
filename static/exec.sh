#!/bin/sh
# punctual-exec: runs a command, and tells Punctual when it starts, how it ends, and the end of its output. The command runs
# whether Punctual can be reached or not; pings that could not be sent are kept and sent later. Needs sh, and curl or wget.
# Documentation: docs/exec.md. `punctual exec` does the same, and both are held by one table of tests.

px_help() {
  cat <<'px_end'
Usage: punctual-exec [OPTIONS] [--] COMMAND [ARGUMENTS]

  --url ADDRESS        the check's ping address
  --uuid UUID          the check, at the installation in PUNCTUAL_URL
  --slug SLUG          the same by its slug, with the project's ping key in PUNCTUAL_PING_KEY
  --timeout SECONDS    the longest time for one request (10)
  --retry NUMBER       how often a request is repeated if it fails (1)
  --lock               do not run while this check's command runs already (exit status 75)
  --metric-from REGEX  send the numbers in what matches, such as "rows: [0-9]+"
  --quiet              no messages of its own
px_end
}

px_err=2
px_say() { [ -n "$px_quiet" ] || printf 'punctual-exec: %s\n' "$1" >&"$px_err"; }

px_refuse() {
  printf 'punctual-exec: %s\n' "$1" >&2
  exit 2
}

px_site=${PUNCTUAL_URL:-'@SITE_ROOT@'}
px_url='' px_uuid='' px_slug='' px_timeout=10 px_retry=1 px_lock='' px_metric='' px_quiet=''
while [ $# -gt 0 ]; do
  case $1 in
  --) shift && break ;;
  --help) px_help && exit 0 ;;
  --lock) px_lock=1 ;;
  --quiet) px_quiet=1 ;;
  --url | --uuid | --slug | --timeout | --retry | --metric-from)
    [ $# -ge 2 ] || px_refuse "$1 needs a value"
    case $1 in
    --url) px_url=$2 ;;
    --uuid) px_uuid=$2 ;;
    --slug) px_slug=$2 ;;
    --timeout) px_timeout=$2 ;;
    --retry) px_retry=$2 ;;
    *) px_metric=$2 ;;
    esac
    shift
    ;;
  -*) px_refuse "unknown option $1" ;;
  *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || px_refuse 'there is no command to run; see --help'
[ -z "$px_uuid" ] || px_url=${px_site%/}/ping/$px_uuid
case $px_slug in
'') ;;
*/*) px_url=${px_site%/}/ping/$px_slug ;;
*)
  [ -n "${PUNCTUAL_PING_KEY-}" ] || px_refuse 'PUNCTUAL_PING_KEY is needed with --slug'
  px_url=${px_site%/}/ping/$PUNCTUAL_PING_KEY/$px_slug
  ;;
esac
case $px_url in
*[!!-~]* | *'"'* | *\\*) px_refuse 'the address of the check has characters that no address has' ;;
http://?*/?* | https://?*/?*) ;;
*) px_refuse 'which check? Give --url, or --uuid or --slug with PUNCTUAL_URL' ;;
esac
for px_one in "$px_timeout" "$px_retry"; do
  case $px_one in '' | *[!0-9]*) px_refuse 'a time limit and a number of retries are whole numbers' ;; esac
done
px_query=''
case $px_url in *\?*) px_query="&${px_url#*\?}" && px_url=${px_url%%\?*} ;; esac
px_url=${px_url%/}

# The time in nanoseconds, to the second where `date` knows no more.
px_clock() {
  px_now=$(date +%s%N)
  case $px_now in *[!0-9]* | ??????????) px_now=$(date +%s)000000000 ;; esac
}

px_rid=''
{ read -r px_rid </proc/sys/kernel/random/uuid; } 2>/dev/null || px_rid=$(uuidgen 2>/dev/null) ||
  px_rid=$(od -An -tx1 -N16 /dev/urandom | tr -d ' \n' | sed 's/\(.\{8\}\)\(....\)\(....\)\(....\)/\1-\2-\3-\4-/')

px_dir=$(mktemp -d "${TMPDIR:-/tmp}/punctual.XXXXXX" 2>/dev/null) || px_dir=''
# The headers of the answers to the start, to the end, and to pings that are sent later; without a folder they are not read.
px_start_head=${px_dir:+$px_dir/start} px_end_head=${px_dir:+$px_dir/answer} px_late_head=${px_dir:+$px_dir/late}
px_spool=${PUNCTUAL_SPOOL:-${XDG_STATE_HOME:-${HOME:-/var/tmp}/.local/state}/punctual/spool}
if [ ! -d "$px_spool" ]; then
  mkdir -p "${px_spool%/*}" 2>/dev/null
  mkdir -m 700 "$px_spool" 2>/dev/null
fi
[ -d "$px_spool" ] && [ -w "$px_spool" ] || px_spool=${px_dir:-/nonexistent}

# What a process is known by: its number, and where /proc tells it, when it began, since numbers are used again.
px_process() {
  px_known=$1
  { read -r px_stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  # shellcheck disable=SC2086
  set -- ${px_stat##*) }
  px_known=$px_known.${20}
}

# One command of a check at a time. The lock is a symbolic link to the process that holds it, which is made at once or not.
if [ -n "$px_lock" ]; then
  px_held=$px_spool/lock.$(printf %s "$px_url" | LC_ALL=C tr -c 'A-Za-z0-9._-' = | tail -c 200)
  px_process "$$"
  until ln -s "$px_known" "$px_held" 2>/dev/null; do
    px_other=$(readlink "$px_held") || {
      [ -w "$px_spool" ] && continue
      px_say 'the lock cannot be taken; the command runs without it'
      px_lock=''
      break
    }
    px_process "${px_other%%.*}"
    if kill -0 "${px_other%%.*}" 2>/dev/null && [ "$px_known" = "$px_other" ]; then
      px_say "the command runs already, as process ${px_other%%.*}"
      rm -rf "$px_dir"
      exit 75
    fi
    mv "$px_held" "$px_held.$$" 2>/dev/null && [ "$(readlink "$px_held.$$")" != "$px_other" ] && mv "$px_held.$$" "$px_held"
    rm -f "$px_held.$$"
    px_process "$$"
  done
fi

if command -v curl >/dev/null 2>&1; then
  px_client=curl
elif command -v wget >/dev/null 2>&1; then
  if wget --version >/dev/null 2>&1; then px_client=wget; else px_client=busybox; fi
else
  px_client=none
  px_say 'there is neither curl nor wget: pings are kept until there is'
fi

# The number of bytes of a body that the server keeps, once an answer has named it.
px_limit=''
px_limited() {
  case $1 in '' | *[!0-9]* | ??????*) ;; *) px_limit=$1 ;; esac
}

# The file whose content is sent for the output in the file $1 is in px_sent: its end, if the server keeps no more.
px_cut() {
  px_sent=$1
  if [ -n "$px_limit" ] && [ -s "$1" ] && [ -n "$px_dir" ] && tail -c "$px_limit" "$1" >"$px_dir/body" 2>/dev/null; then
    px_sent=$px_dir/body
  fi
  [ -s "$px_sent" ] || px_sent=''
}

# Sends the address $1 with the file $2 as its body, once. The status is in px_code (000: no answer), the headers in $3.
px_request() {
  px_code=''
  case $px_client in
  curl)
    px_code=$(printf 'url = "%s"\n' "$1" | curl -sS -A punctual-exec -m "$px_timeout" -o /dev/null -D "$3" \
      -w '%{http_code}' ${2:+--data-binary "@$2"} -K - 2>/dev/null)
    ;;
  wget)
    printf '%s\n' "$1" | wget -S -O /dev/null -U punctual-exec -T "$px_timeout" -t 1 ${2:+"--post-file=$2"} -i - >"$3" 2>&1 && px_code=200
    ;;
  busybox)
    timeout -s KILL "$px_timeout" wget -S -O /dev/null -U punctual-exec ${2:+--post-file "$2"} "$1" >"$3" 2>&1 && px_code=200
    ;;
  esac
  if [ -r "$3" ]; then
    while read -r px_line; do
      px_line=${px_line%"$px_return"}
      case $px_line in
      [Pp]ing-[Bb]ody-[Ll]imit:*) px_limited "${px_line##*: }" ;;
      *HTTP/*\ [1-5][0-9][0-9]*) [ "$px_client" = curl ] || { px_code=${px_line#*HTTP/* } && px_code=${px_code%% *}; } ;;
      esac
    done <"$3"
  fi
  case $px_code in [1-5][0-9][0-9]) ;; *) px_code=000 ;; esac
}
px_return=$(printf '\r')

# The same up to $4 times more. Returns 0 if the ping needs not be sent again: it was taken, or never will be.
px_send() {
  px_left=$4
  while :; do
    px_request "$1" "$2" "$3"
    case $px_code in
    2??) return 0 ;;
    408 | 425 | 429 | 000 | 5??) ;;
    *) px_say "Punctual refused a ping with status $px_code" && return 0 ;;
    esac
    [ "$px_left" -gt 0 ] || return 1
    px_left=$((px_left - 1))
    sleep 1
  done
}

# Keeps a ping: $1 is `begin` or `end`, $2 its address. The body of an end is the file RID.body. The name is in px_entry; a full
# disk leaves no file, rather than an empty one.
px_keep() {
  px_entry=$px_spool/${px_now%?????????}.$px_rid.$1.$$
  { printf '%s\n' "$2" >"$px_entry"; } 2>/dev/null || rm -f "$px_entry"
}

# Sends a ping that was kept, with its time.
px_send_kept() {
  px_name=${1##*/}
  px_rest=${px_name#*.}
  px_kept_body=''
  case $px_name in *.end.*) px_kept_body=${1%/*}/${px_rest%%.*}.body ;; esac
  # Another process has sent it, or its process was killed before it wrote the address.
  { read -r px_kept <"$1"; } 2>/dev/null || {
    rm -f "$1" ${px_kept_body:+"$px_kept_body"}
    return 0
  }
  px_cut "$px_kept_body"
  px_send "$px_kept&at=${px_name%%.*}" "$px_sent" "${px_late_head:-/dev/null}" 0 || return 1
  rm -f "$1" ${px_kept_body:+"$px_kept_body"}
}

# Sends what other runs have left, the oldest first.
px_flush() {
  px_count=0
  px_clock
  for px_file in "$px_spool"/[0-9]*.*.*.[0-9]*; do
    [ -f "$px_file" ] || continue
    px_age=${px_file##*/}
    px_age=$((${px_now%?????????} - ${px_age%%.*}))
    if [ "$px_age" -gt 604000 ]; then
      px_rest=${px_file##*/}
      px_rest=${px_rest#*.}
      rm -f "$px_file" "$px_spool/${px_rest%%.*}.body"
      continue
    fi
    [ "$px_age" -lt 86400 ] && kill -0 "${px_file##*.}" 2>/dev/null && continue
    px_count=$((px_count + 1))
    [ "$px_count" -le 20 ] || break
    px_send_kept "$px_file" || break
  done
  # The output of a command whose end was never written.
  [ "$px_spool" = "$px_dir" ] || find "$px_spool" -name '*.body' -mtime +7 -exec rm -f {} + 2>/dev/null
}

px_ignore() { trap '' HUP INT TERM QUIT USR1 USR2; }

# Signals go on to the command. A terminal sends these two to it itself.
px_job='' px_early='' px_signalled=''
px_forward() {
  px_signalled=1
  if [ -n "$px_job" ]; then kill -s "$1" "$px_job" 2>/dev/null; else px_early=$1; fi
}
for px_one in HUP TERM USR1 USR2; do
  # shellcheck disable=SC2064
  trap "px_forward $px_one" "$px_one"
done
if [ -t 0 ]; then
  trap px_signalled=1 INT QUIT
else
  trap 'px_forward INT' INT
  trap 'px_forward QUIT' QUIT
fi

# A command in the background ignores INT and QUIT, which dash and busybox cannot undo.
px_run() {
  trap - HUP INT TERM QUIT USR1 USR2
  [ -n "${BASH_VERSION-}" ] && exec "$@"
  if env --default-signal=INT,QUIT true 2>/dev/null; then
    # shellcheck disable=SC2016
    exec env --default-signal=INT,QUIT sh -c 'exec "$@"' punctual-exec "$@"
  elif command -v perl >/dev/null 2>&1; then
    # shellcheck disable=SC2016
    exec perl -e '$SIG{INT} = $SIG{QUIT} = "DEFAULT"; exec { $ARGV[0] } @ARGV; warn "$ARGV[0]: $!\n"; exit($!{ENOENT} ? 127 : 126)' "$@"
  fi
  exec "$@"
}

px_clock
px_began=$px_now
px_keep begin "$px_url/start?rid=$px_rid$px_query"
px_start=$px_entry
(
  px_ignore
  px_send "$px_url/start?rid=$px_rid$px_query" '' "${px_start_head:-/dev/null}" "$px_retry" && rm -f "$px_start"
) </dev/null >/dev/null &
px_starting=$!

px_body=$px_spool/$px_rid.body
if (: <&0) 2>/dev/null; then exec 8<&0; else exec 8</dev/null; fi
# Bash writes to its standard error when a command dies of a signal; the command has its own.
exec 5>&2 2>/dev/null
px_err=5
if [ -n "$px_dir" ] && mkfifo "$px_dir/out" "$px_dir/err" "$px_dir/all" "$px_dir/end" 2>/dev/null; then
  # Opening a named pipe for one direction waits for the other, which never comes if this script is killed first. So a pipe is
  # open for both while its ends are opened; the subshells have it too until then.
  exec 6<>"$px_dir/out" 7<>"$px_dir/end" 9<>"$px_dir/all"
  (px_ignore && exec tail -c 100000 <"$px_dir/end" >"$px_body" 5>&- 6>&- 7>&- 8<&- 9>&-) >/dev/null &
  px_tail=$!
  (px_ignore && exec cat <"$px_dir/all" >"$px_dir/end" 5>&- 6>&- 7>&- 8<&- 9>&-) &
  px_cat=$!
  (px_ignore && exec tee "$px_dir/all" <"$px_dir/out" 5>&- 6>&- 7>&- 8<&-) &
  exec 7<>"$px_dir/err"
  (px_ignore && exec tee "$px_dir/all" <"$px_dir/err" 6>&- 7>&- 8<&- >&5 5>&-) &
  (px_run "$@") <&8 8<&- >"$px_dir/out" 2>"$px_dir/err" 5>&- 6>&- 7>&- 9>&- &
  px_job=$!
  exec 6>&- 7>&- 9>&-
else
  px_say 'the output cannot be kept'
  px_tail=''
  (px_run "$@") <&8 8<&- 2>&5 5>&- &
  px_job=$!
fi
[ -z "$px_early" ] || kill -s "$px_early" "$px_job"
px_status=''
while :; do
  px_signalled=''
  wait "$px_job" 2>/dev/null
  px_got=$?
  # A signal interrupts `wait`. If it came after the end, the next one knows of no process.
  [ -n "$px_status" ] && [ "$px_got" = 127 ] || px_status=$px_got
  [ -n "$px_signalled" ] || break
done
px_clock

if [ -n "$px_tail" ]; then
  # A child in the background may keep the output open: it may go on writing, which is not sent.
  (
    trap '' HUP INT QUIT
    sleep 2
    px_ignore
    kill -0 "$px_cat" || exit
    exec 9<>"$px_dir/all"
    cat <"$px_dir/all" >/dev/null 9>&- &
    kill -s KILL "$px_cat"
  ) </dev/null >/dev/null 2>&1 5>&- 8<&- &
  px_timer=$!
  px_wait() {
    while :; do
      px_signalled=''
      wait "$1"
      [ -n "$px_signalled" ] || break
    done
  }
  px_wait "$px_tail" 2>/dev/null
  kill -s KILL "$px_timer" 2>/dev/null
  wait "$px_timer" 2>/dev/null
fi

px_ms=$(((px_now - px_began) / 1000000))
px_fraction=00$((px_ms % 1000))
px_end="$px_url/$px_status?rid=$px_rid&duration=$((px_ms / 1000)).${px_fraction#"${px_fraction%???}"}$px_query"
if [ -n "$px_metric" ]; then
  for px_one in $(LC_ALL=C grep -aoE -e "$px_metric" "$px_body" 2>/dev/null | LC_ALL=C sed -nE \
    's/^[^A-Za-z_]*([A-Za-z_][A-Za-z0-9_.]*).*[^0-9.eE+-]([+-]?[0-9][0-9.]*([eE][+-]?[0-9]+)?)[^0-9]*$/\1:\2/p' |
    tail -n 20 | tr '[:upper:]+' '[:lower:] ' | tr -d ' '); do
    px_end="$px_end&metric=$px_one"
  done
fi
px_keep end "$px_end"
wait "$px_starting" 2>/dev/null

px_tries=$px_retry
if [ -f "$px_start" ] && ! px_send_kept "$px_start"; then px_tries=0; fi
# The start was sent by another process.
px_limited "$(sed -n 's/^ *[Pp]ing-[Bb]ody-[Ll]imit: *\([0-9]*\).*/\1/p' "$px_start_head" 2>/dev/null)"
px_cut "$px_body"
if px_send "$px_end" "$px_sent" "${px_end_head:-/dev/null}" "$px_tries"; then
  rm -f "$px_entry" "$px_body"
  px_flush
elif [ -f "$px_entry" ] && [ "$px_spool" != "$px_dir" ]; then
  px_say 'Punctual could not be reached; the ping is kept and sent later'
else
  rm -f "$px_body"
  px_say 'Punctual could not be reached, and the ping could not be kept'
fi
[ -z "$px_lock" ] || rm -f "$px_held"
[ -z "$px_dir" ] || rm -rf "$px_dir"
exit "$px_status"
