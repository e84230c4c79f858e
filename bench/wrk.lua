-- wrk … -s bench/wrk.lua URL -- FILE
--
-- Each line of FILE is a path, then headers, separated by tabs. The requests are built once and sent one after the other,
-- from a random start, for ever. The last line of the output is JSON.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local fields = {}
    for field in string.gmatch(line, "[^\t]+") do fields[#fields + 1] = field end
    local headers = {}
    for i = 2, #fields do
      local name, value = string.match(fields[i], "^([^:]+): (.*)$")
      headers[name] = value
    end
    requests[#requests + 1] = wrk.format("GET", fields[1], headers)
  end
  math.randomseed(os.time())
  at = math.random(#requests)
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary)
  local e = summary.errors
  print(string.format(
    '{"answers":%d,"seconds":%f,"bytes":%d,"errors":%d}',
    summary.requests, summary.duration / 1e6, summary.bytes, e.connect + e.read + e.write + e.status + e.timeout))
end
