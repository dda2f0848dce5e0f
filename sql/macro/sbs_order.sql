-- Value that SBS minimises, to 12 digits. The protocol's setting sbs_criterion chooses the
-- mean cost, the mean PAR1 (for qualities, the mean cost), or minus the share solved.
create or replace macro sbs_order(criterion, cost, par1, solved) as
    comparable(
        case criterion
            when 'par' then cost
            when 'par1' then coalesce(par1, cost)
            else -solved
        end
    )
