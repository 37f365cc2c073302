module threekings

go 1.26
