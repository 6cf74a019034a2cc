-- Sends the prepared requests in turn, with a new number in place of each counter mark, and prints the result as JSON.
local mark = "@@@@@@"
local requests, numbered, count = {}, {}, 0

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  local length = file:read("*n")
  while length do
    file:read(1)
    local text = file:read(length)
    requests[#requests + 1] = text
    numbered[#requests] = text:find(mark, 1, true) ~= nil
    length = file:read("*n")
  end
end

function request()
  local place = count % #requests + 1
  local text = requests[place]
  if numbered[place] then
    text = text:gsub(mark, string.format("%06d", count % 1000000))
  end
  count = count + 1
  return text
end

function done(summary, latency)
  local errors = summary.errors
  local failures = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('RESULT {"requests":%d,"failures":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f}\n',
    summary.requests, failures, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
